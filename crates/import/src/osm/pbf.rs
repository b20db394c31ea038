//! The elements of an OSM PBF file (<https://wiki.openstreetmap.org/wiki/PBF_Format>).
//!
//! The `osmpbf` crate panics on relation members of an unknown type and on differences that overflow
//! (version 0.3.8); a file from the network may hold both, so the few fields we need are read here.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::read::ZlibDecoder;

use crate::lines::{Pass, io_error};
use crate::osm::spot::Spot;
use crate::sink::{ImportError, Sink};
use crate::wire::{Numbers, Torn, Value, Wire, signed};

/// The largest header of a blob, by the format.
const LARGEST_HEADER: u64 = 64 << 10;

/// The largest blob, packed or unpacked, by the format.
const LARGEST_BLOB: u64 = 32 << 20;

/// The most nodes of a way, by the API of OpenStreetMap: a longer one is no way of its map.
const MOST_NODES: usize = 2000;

/// The longest text in bytes: the API of OpenStreetMap takes 255 characters for a key, value or role.
const LONGEST_TEXT: usize = 255 * 4;

/// The features of a file that this reader copes with.
const UNDERSTOOD: [&str; 2] = ["OsmSchema-V0.6", "DenseNodes"];

/// Who is shown the elements of a file.
pub(crate) trait Visit {
    /// Which elements it wants to see.
    fn wants(&self, sort: Sort) -> bool;

    /// Sees a node.
    fn node(&mut self, _node: &Node<'_>, _sink: &mut Sink<'_>) {}

    /// Sees a way.
    fn way(&mut self, _way: &Way<'_>, _sink: &mut Sink<'_>) {}

    /// Sees a relation.
    fn relation(&mut self, _relation: &Relation<'_>, _sink: &mut Sink<'_>) {}
}

/// The three sorts of elements; of the ids of one sort each occurs once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sort {
    Way,
    Relation,
    Node,
}

/// A point, with tags if it is something by itself.
pub(crate) struct Node<'b> {
    pub(crate) id: i64,
    pub(crate) spot: Option<Spot>,
    pub(crate) tags: Tags<'b>,
}

/// A line through nodes; an area if it ends where it began.
pub(crate) struct Way<'b> {
    pub(crate) id: i64,
    pub(crate) nodes: Vec<i64>,
    pub(crate) tags: Tags<'b>,
}

/// Elements that belong together.
pub(crate) struct Relation<'b> {
    pub(crate) id: i64,
    pub(crate) members: Vec<Member<'b>>,
    pub(crate) tags: Tags<'b>,
}

/// An element's part in a relation.
pub(crate) struct Member<'b> {
    pub(crate) sort: Sort,
    pub(crate) id: i64,
    pub(crate) role: &'b str,
}

/// What is said of an element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags<'b>(pub(crate) Vec<(&'b str, &'b str)>);

impl<'b> Tags<'b> {
    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'b str> {
        self.0.iter().find(|(found, _)| *found == key).map(|&(_, value)| value)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Shows the elements of a file to a visitor; the first pass reports torn blocks.
pub(crate) fn each_element(
    pass: Pass,
    path: &Path,
    sink: &mut Sink<'_>,
    visit: &mut dyn Visit,
) -> Result<(), ImportError> {
    let file = path.display().to_string();
    let mut blobs = Blobs::open(path)?;
    for number in 1.. {
        let block = match blobs.next() {
            Ok(Some(blob)) => blob,
            Err(torn) if number == 1 => return Err(foreign(&file, torn)),
            Err(torn) if pass.number == 0 => return sink.bad(&file, number, torn),
            Ok(None) | Err(_) => break,
        };
        if number == 1 && !block.data {
            check_header(&block.content).map_err(|reason| foreign(&file, reason))?;
        }
        let elements = if block.data { unpacked(&block.content) } else { Ok(Vec::new()) };
        let read = elements.and_then(|elements| Block::show(&elements, visit, sink));
        if pass.number == 0 {
            tell_bad(&file, number, read, sink)?;
        }
        sink.advance(pass.done(blobs.position, blobs.size));
    }
    Ok(())
}

/// Notes a block that is torn, or the ways in it that have too many nodes.
fn tell_bad(
    file: &str,
    number: u64,
    read: Result<Vec<i64>, Torn>,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let too_long = match read {
        Ok(too_long) => too_long,
        Err(torn) => return sink.bad(file, number, format!("block {number}: {torn}")),
    };
    for id in too_long {
        let reason = format!("way {id} has more than {MOST_NODES} nodes");
        sink.bad(file, id.unsigned_abs(), reason)?;
    }
    Ok(())
}

fn foreign(file: &str, reason: impl Into<String>) -> ImportError {
    ImportError::Foreign { file: file.to_owned(), expected: "OSM PBF file", reason: reason.into() }
}

/// The blobs a file is made of.
struct Blobs {
    source: BufReader<File>,
    size: u64,
    position: u64,
}

/// A blob as it stands in the file.
struct Blob {
    /// True for elements, false for the header and what programs add of their own.
    data: bool,
    content: Vec<u8>,
}

impl Blobs {
    fn open(path: &Path) -> Result<Self, ImportError> {
        let file = File::open(path).map_err(|error| io_error(path, error))?;
        let size = file.metadata().map_err(|error| io_error(path, error))?.len();
        if size == 0 {
            return Err(foreign(&path.display().to_string(), "it is empty"));
        }
        Ok(Self { source: BufReader::new(file), size, position: 0 })
    }

    fn next(&mut self) -> Result<Option<Blob>, Torn> {
        if self.position >= self.size {
            return Ok(None);
        }
        let length = self.bytes(4)?;
        let length = length.first_chunk().map_or(0, |bytes| u64::from(u32::from_be_bytes(*bytes)));
        if length > LARGEST_HEADER {
            return Err("the header of a blob is larger than 64 KiB");
        }
        let header = self.bytes(length)?;
        let (mut data, mut size) = (false, 0);
        for field in Wire(&header) {
            match field? {
                (1, Value::Bytes(name)) => data = name == b"OSMData",
                (3, Value::Number(number)) => size = number,
                _ => {}
            }
        }
        if size > LARGEST_BLOB {
            return Err("a blob is larger than 32 MiB");
        }
        Ok(Some(Blob { data, content: self.bytes(size)? }))
    }

    fn bytes(&mut self, length: u64) -> Result<Vec<u8>, Torn> {
        let mut bytes = Vec::new();
        let read = self.source.by_ref().take(length).read_to_end(&mut bytes);
        self.position += bytes.len() as u64;
        match read {
            Ok(read) if read as u64 == length => Ok(bytes),
            _ => Err("the file is cut off"),
        }
    }
}

/// The content of a blob, unpacked.
fn unpacked(blob: &[u8]) -> Result<Vec<u8>, Torn> {
    for field in Wire(blob) {
        match field? {
            (1, Value::Bytes(raw)) => return Ok(raw.to_vec()),
            (3, Value::Bytes(packed)) => {
                return inflated(packed).map_err(|_| "it cannot be unpacked");
            }
            (4..=7, Value::Bytes(_)) => return Err("it is packed otherwise than with zlib"),
            _ => {}
        }
    }
    Err("it is empty")
}

fn inflated(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    ZlibDecoder::new(packed).take(LARGEST_BLOB + 1).read_to_end(&mut data)?;
    if data.len() as u64 > LARGEST_BLOB {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(data)
}

/// Refuses files with features that change what the elements mean, such as past versions.
fn check_header(blob: &[u8]) -> Result<(), String> {
    let data = unpacked(blob)?;
    for field in Wire(&data) {
        if let (4, Value::Bytes(feature)) = field? {
            let feature = String::from_utf8_lossy(feature);
            if !UNDERSTOOD.contains(&feature.as_ref()) {
                return Err(format!("it needs a reader that knows \"{feature}\""));
            }
        }
    }
    Ok(())
}

/// Some thousand elements with the texts they refer to.
struct Block<'b> {
    texts: Vec<&'b str>,
    groups: Vec<&'b [u8]>,
    granularity: i64,
    offset: [i64; 2],
}

impl<'b> Block<'b> {
    /// Shows the elements to a visitor, but the ways that have too many nodes: it gives their ids.
    fn show(data: &'b [u8], visit: &mut dyn Visit, sink: &mut Sink<'_>) -> Result<Vec<i64>, Torn> {
        let block = Self::read(data)?;
        let mut too_long = Vec::new();
        for group in &block.groups {
            for field in Wire(group) {
                match field? {
                    (1, Value::Bytes(node)) if visit.wants(Sort::Node) => {
                        visit.node(&block.node(node)?, sink);
                    }
                    (2, Value::Bytes(dense)) if visit.wants(Sort::Node) => {
                        block.dense_nodes(dense, &mut |node| visit.node(node, sink))?;
                    }
                    (3, Value::Bytes(way)) if visit.wants(Sort::Way) => {
                        let way = block.way(way)?;
                        if way.nodes.len() > MOST_NODES {
                            too_long.push(way.id);
                        } else {
                            visit.way(&way, sink);
                        }
                    }
                    (4, Value::Bytes(relation)) if visit.wants(Sort::Relation) => {
                        visit.relation(&block.relation(relation)?, sink);
                    }
                    _ => {}
                }
            }
        }
        Ok(too_long)
    }

    fn read(data: &'b [u8]) -> Result<Self, Torn> {
        let mut block =
            Self { texts: Vec::new(), groups: Vec::new(), granularity: 100, offset: [0, 0] };
        for field in Wire(data) {
            match field? {
                (1, Value::Bytes(table)) => block.texts = texts(table)?,
                (2, Value::Bytes(group)) => block.groups.push(group),
                (17, Value::Number(number)) => block.granularity = number as i64,
                (19, Value::Number(number)) => block.offset[0] = number as i64,
                (20, Value::Number(number)) => block.offset[1] = number as i64,
                _ => {}
            }
        }
        Ok(block)
    }

    fn node(&self, bytes: &'b [u8]) -> Result<Node<'b>, Torn> {
        let (mut id, mut lat, mut lon) = (0, 0, 0);
        let mut tags = TagLists::default();
        for field in Wire(bytes) {
            match field? {
                (1, Value::Number(number)) => id = signed(number),
                (8, Value::Number(number)) => lat = signed(number),
                (9, Value::Number(number)) => lon = signed(number),
                (number, Value::Bytes(list)) => tags.note(number, list),
                _ => {}
            }
        }
        Ok(Node { id, spot: self.spot(lat, lon), tags: tags.read(self) })
    }

    /// Nodes in columns: ids, latitudes, longitudes, and tags with a 0 after each node's.
    fn dense_nodes(&self, bytes: &'b [u8], show: &mut dyn FnMut(&Node<'_>)) -> Result<(), Torn> {
        let mut columns: [&[u8]; 4] = [&[]; 4];
        for field in Wire(bytes) {
            if let (number @ (1 | 8 | 9 | 10), Value::Bytes(column)) = field? {
                columns[[1, 8, 9, 10].iter().position(|&n| n == number).unwrap_or(0)] = column;
            }
        }
        let [ids, lats, lons, tags] = columns;
        let mut tags = Numbers(tags);
        for ((id, lat), lon) in sums(ids).zip(sums(lats)).zip(sums(lons)) {
            let mut list = Tags::default();
            while let Some(key) = tags.next().filter(|&key| key != 0) {
                let Some(value) = tags.next() else { break };
                list.0.push((self.text(key), self.text(value)));
            }
            show(&Node { id, spot: self.spot(lat, lon), tags: list });
        }
        Ok(())
    }

    /// A way with its nodes, or with one more than a way may have.
    fn way(&self, bytes: &'b [u8]) -> Result<Way<'b>, Torn> {
        let (mut id, mut nodes) = (0, Vec::new());
        let mut tags = TagLists::default();
        for field in Wire(bytes) {
            match field? {
                (1, Value::Number(number)) => id = number as i64,
                (8, Value::Bytes(list)) => nodes = sums(list).take(MOST_NODES + 1).collect(),
                (number, Value::Bytes(list)) => tags.note(number, list),
                _ => {}
            }
        }
        Ok(Way { id, nodes, tags: tags.read(self) })
    }

    fn relation(&self, bytes: &'b [u8]) -> Result<Relation<'b>, Torn> {
        let mut id = 0;
        let mut lists: [&[u8]; 3] = [&[]; 3];
        let mut tags = TagLists::default();
        for field in Wire(bytes) {
            match field? {
                (1, Value::Number(number)) => id = number as i64,
                (number @ 8..=10, Value::Bytes(list)) => lists[number as usize - 8] = list,
                (number, Value::Bytes(list)) => tags.note(number, list),
                _ => {}
            }
        }
        let [roles, ids, sorts] = lists;
        let members = Numbers(roles).zip(sums(ids)).zip(Numbers(sorts));
        let members = members.filter_map(|((role, id), sort)| {
            let sort = [Sort::Node, Sort::Way, Sort::Relation].get(sort as usize).copied()?;
            Some(Member { sort, id, role: self.text(role) })
        });
        Ok(Relation { id, members: members.collect(), tags: tags.read(self) })
    }

    /// The place of a node, from multiples of the granularity; none if it is not on earth.
    fn spot(&self, lat: i64, lon: i64) -> Option<Spot> {
        let nano =
            |offset: i64, steps: i64| offset.checked_add(self.granularity.checked_mul(steps)?);
        Spot::from_nano(nano(self.offset[0], lat)?, nano(self.offset[1], lon)?)
    }

    fn text(&self, number: u64) -> &'b str {
        usize::try_from(number).ok().and_then(|at| self.texts.get(at)).copied().unwrap_or_default()
    }
}

/// The texts of a block; one that is too long or not UTF-8 is empty.
fn texts(table: &[u8]) -> Result<Vec<&str>, Torn> {
    let mut texts = Vec::new();
    for field in Wire(table) {
        if let (1, Value::Bytes(text)) = field? {
            let text = Some(text).filter(|text| text.len() <= LONGEST_TEXT).unwrap_or_default();
            texts.push(std::str::from_utf8(text).unwrap_or_default());
        }
    }
    Ok(texts)
}

/// Keys and values of an element, each a list of numbers of texts.
#[derive(Default)]
struct TagLists<'b> {
    keys: &'b [u8],
    values: &'b [u8],
}

impl<'b> TagLists<'b> {
    fn note(&mut self, field: u32, list: &'b [u8]) {
        match field {
            2 => self.keys = list,
            3 => self.values = list,
            _ => {}
        }
    }

    fn read(&self, block: &Block<'b>) -> Tags<'b> {
        let pairs = Numbers(self.keys).zip(Numbers(self.values));
        Tags(pairs.map(|(key, value)| (block.text(key), block.text(value))).collect())
    }
}

/// The numbers of a packed list of differences.
fn sums(list: &[u8]) -> impl Iterator<Item = i64> {
    Numbers(list).scan(0_i64, |sum, difference| {
        *sum = sum.wrapping_add(signed(difference));
        Some(*sum)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::osm::extract::Extract;
    use crate::trial::{Trial, with_file};

    /// Notes what it sees, one line for each element.
    #[derive(Default)]
    struct Notes(Vec<String>);

    impl Visit for Notes {
        fn wants(&self, _: Sort) -> bool {
            true
        }

        fn node(&mut self, node: &Node<'_>, _: &mut Sink<'_>) {
            let at = node.spot.map(Spot::point);
            let at = at.map_or(String::new(), |point| format!("{:.5},{:.5}", point.lat, point.lon));
            self.0.push(format!("n{} {at} {:?}", node.id, node.tags.0));
        }

        fn way(&mut self, way: &Way<'_>, _: &mut Sink<'_>) {
            self.0.push(format!("w{} {:?} {:?}", way.id, way.nodes, way.tags.0));
        }

        fn relation(&mut self, relation: &Relation<'_>, _: &mut Sink<'_>) {
            let member = |m: &Member<'_>| format!("{:?} {} {}", m.sort, m.id, m.role);
            let members: Vec<_> = relation.members.iter().map(member).collect();
            self.0.push(format!("r{} {members:?} {:?}", relation.id, relation.tags.0));
        }
    }

    #[test]
    fn nodes_ways_and_relations_are_read() {
        let (notes, _) = read(&sample().bytes());
        let expected = [
            r#"n5 60.17000,24.94000 [("name", "Kiasma"), ("tourism", "museum")]"#,
            r"n3 -60.00000,-24.50000 []",
            r#"w7 [5, 3, 5] [("highway", "steps")]"#,
            r#"r9 ["Way 7 outer", "Node 5 label"] [("type", "boundary")]"#,
        ];
        assert_eq!(notes, expected);
    }

    #[test]
    fn packed_and_unpacked_blobs_read_the_same() {
        assert_eq!(read(&sample().bytes()).0, read(&sample().raw_bytes()).0);
    }

    #[test]
    fn a_torn_block_is_a_bad_record_and_the_others_are_read() {
        let mut bytes = sample().torn_block().bytes();
        let (notes, trial) = read(&bytes);
        assert_eq!((notes.len(), trial.report.bad), (4, 1));
        assert_eq!(trial.reason(), "block 3: it is torn");
        bytes.truncate(bytes.len() - 1);
        assert_eq!(read(&bytes).1.reason(), "the file is cut off");
    }

    #[test]
    fn a_way_of_too_many_nodes_is_a_bad_record_and_the_others_are_read() {
        let long = |nodes: usize| vec![5; nodes];
        let extract = sample().way(20, &long(MOST_NODES + 1), &[]).way(21, &long(MOST_NODES), &[]);
        let (notes, trial) = read(&extract.bytes());
        assert_eq!((notes.len(), trial.report.bad), (5, 1));
        assert_eq!(trial.reason(), "way 20 has more than 2000 nodes");
    }

    #[test]
    fn a_text_longer_than_the_map_keeps_is_empty() {
        let name = |length: usize| "x".repeat(length);
        let (notes, _) =
            read(&Extract::default().node(5, 0.0, 0.0, &[("name", &name(1021))]).bytes());
        assert_eq!(notes, [r#"n5 0.00000,0.00000 [("name", "")]"#]);
        let (notes, _) =
            read(&Extract::default().node(5, 0.0, 0.0, &[("name", &name(1020))]).bytes());
        assert!(notes[0].len() > 1020);
    }

    #[test]
    fn other_files_are_refused() {
        check_foreign(b"", "it is empty");
        check_foreign(b"<osm version='0.6'>", "the header of a blob is larger than 64 KiB");
        let history = sample().needing("HistoricalInformation").bytes();
        check_foreign(&history, "it needs a reader that knows \"HistoricalInformation\"");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]
        #[test]
        fn any_change_to_a_file_is_survived(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        ) {
            let mut bytes = sample().raw_bytes();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            read(&bytes);
        }

        #[test]
        fn any_bytes_are_survived(bytes: Vec<u8>) {
            read(&bytes);
        }
    }

    fn sample() -> Extract {
        Extract::default()
            .node(5, 60.17, 24.94, &[("name", "Kiasma"), ("tourism", "museum")])
            .node(3, -60.0, -24.5, &[])
            .way(7, &[5, 3, 5], &[("highway", "steps")])
            .relation(
                9,
                &[(Sort::Way, 7, "outer"), (Sort::Node, 5, "label")],
                &[("type", "boundary")],
            )
    }

    fn read(bytes: &[u8]) -> (Vec<String>, Trial) {
        let mut notes = Notes::default();
        let trial = with_file("some.osm.pbf", bytes, |path, sink| {
            each_element(Pass::ONLY, path, sink, &mut notes)
        });
        (notes.0, trial)
    }

    #[track_caller]
    fn check_foreign(bytes: &[u8], reason: &str) {
        let error = read(bytes).1.result.unwrap_err().to_string();
        assert!(error.ends_with(&format!("some.osm.pbf is no OSM PBF file: {reason}")), "{error}");
    }
}
