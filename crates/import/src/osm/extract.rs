//! A small OSM PBF file, written for a test.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::osm::pbf::Sort;

/// The elements of the file to be.
#[derive(Default)]
pub(crate) struct Extract {
    texts: Vec<String>,
    nodes: Vec<(i64, i64, i64, Vec<u64>)>,
    ways: Vec<Vec<u8>>,
    relations: Vec<Vec<u8>>,
    torn: bool,
    needs: Option<String>,
}

type Pairs<'a> = &'a [(&'a str, &'a str)];

impl Extract {
    pub(crate) fn node(mut self, id: i64, lat: f64, lon: f64, tags: Pairs<'_>) -> Self {
        let unit = |degrees: f64| (degrees * 1e7).round() as i64;
        let tags =
            tags.iter().flat_map(|&(key, value)| [self.text(key), self.text(value)]).collect();
        self.nodes.push((id, unit(lat), unit(lon), tags));
        self
    }

    pub(crate) fn way(mut self, id: i64, nodes: &[i64], tags: Pairs<'_>) -> Self {
        let mut way = number(1, id as u64);
        way.extend(self.tags(tags));
        way.extend(message(8, &differences(nodes.iter().copied())));
        self.ways.push(way);
        self
    }

    pub(crate) fn relation(
        mut self,
        id: i64,
        members: &[(Sort, i64, &str)],
        tags: Pairs<'_>,
    ) -> Self {
        let mut relation = number(1, id as u64);
        relation.extend(self.tags(tags));
        let roles: Vec<u64> = members.iter().map(|&(_, _, role)| self.text(role)).collect();
        let sorts = members.iter().map(|(sort, _, _)| match sort {
            Sort::Node => 0,
            Sort::Way => 1,
            Sort::Relation => 2,
        });
        relation.extend(message(8, &packed(roles)));
        relation.extend(message(9, &differences(members.iter().map(|&(_, id, _)| id))));
        relation.extend(message(10, &packed(sorts)));
        self.relations.push(relation);
        self
    }

    /// The same file with a torn block before its end.
    pub(crate) fn torn_block(mut self) -> Self {
        self.torn = true;
        self
    }

    /// The same file with a feature that readers must know.
    pub(crate) fn needing(mut self, feature: &str) -> Self {
        self.needs = Some(feature.to_owned());
        self
    }

    /// The file, packed with zlib.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.file(&|data| {
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(data).unwrap();
            message(3, &packer.finish().unwrap())
        })
    }

    /// The file, not packed.
    pub(crate) fn raw_bytes(&self) -> Vec<u8> {
        self.file(&|data| message(1, data))
    }

    fn file(&self, pack: &dyn Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let needs = ["OsmSchema-V0.6", "DenseNodes"].into_iter().chain(self.needs.as_deref());
        let header: Vec<u8> = needs.flat_map(|feature| message(4, feature.as_bytes())).collect();
        let mut file = blob("OSMHeader", &pack(&header));
        file.extend(blob("OSMData", &pack(&self.block())));
        if self.torn {
            file.extend(blob("OSMData", &pack(&[0x0f, 0xff])));
        }
        file
    }

    fn block(&self) -> Vec<u8> {
        let mut dense = message(1, &differences(self.nodes.iter().map(|node| node.0)));
        dense.extend(message(8, &differences(self.nodes.iter().map(|node| node.1))));
        dense.extend(message(9, &differences(self.nodes.iter().map(|node| node.2))));
        let tags = self.nodes.iter().flat_map(|node| node.3.iter().copied().chain([0]));
        dense.extend(message(10, &packed(tags)));
        let texts: Vec<u8> =
            self.texts.iter().flat_map(|text| message(1, text.as_bytes())).collect();
        let ways: Vec<u8> = self.ways.iter().flat_map(|way| message(3, way)).collect();
        let relations: Vec<u8> = self.relations.iter().flat_map(|r| message(4, r)).collect();
        let groups = [message(2, &dense), ways, relations];
        let groups = groups.iter().flat_map(|group| message(2, group));
        message(1, &texts).into_iter().chain(groups).collect()
    }

    /// The number of a text; 0 is kept for "no more tags".
    fn text(&mut self, text: &str) -> u64 {
        if self.texts.is_empty() {
            self.texts.push(String::new());
        }
        let known = self.texts.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        }) as u64
    }

    fn tags(&mut self, tags: Pairs<'_>) -> Vec<u8> {
        let keys: Vec<u64> = tags.iter().map(|(key, _)| self.text(key)).collect();
        let values: Vec<u64> = tags.iter().map(|(_, value)| self.text(value)).collect();
        [message(2, &packed(keys)), message(3, &packed(values))].concat()
    }
}

fn blob(sort: &str, content: &[u8]) -> Vec<u8> {
    let header = [message(1, sort.as_bytes()), number(3, content.len() as u64)].concat();
    let length = u32::try_from(header.len()).unwrap().to_be_bytes();
    [&length[..], &header, content].concat()
}

fn number(field: u64, value: u64) -> Vec<u8> {
    packed([field << 3, value])
}

fn message(field: u64, content: &[u8]) -> Vec<u8> {
    let mut bytes = packed([field << 3 | 2, content.len() as u64]);
    bytes.extend_from_slice(content);
    bytes
}

fn differences(numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut before = 0;
    packed(numbers.map(|number| {
        let difference = number - before;
        before = number;
        ((difference << 1) ^ (difference >> 63)) as u64
    }))
}

fn packed(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for mut number in numbers {
        while number > 0x7f {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    bytes
}
