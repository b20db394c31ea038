//! A settled draft laid out in the sections of the file.

use std::collections::HashMap;

use crate::draft::{Draft, House, Row};
use crate::fact::{Fact, NameClass};
use crate::file;
use crate::kd;
use crate::kind::Kind;
use crate::layout::{self, PlaceRow};
use crate::name_index::NameIndexWriter;
use crate::shape::ShapeWriter;
use crate::spelling::spelling;
use crate::tsv;

/// Everything settled, ready to be laid out.
pub(crate) struct SectionWriter {
    pub(crate) draft: Draft,
    pub(crate) parents: Vec<Option<u32>>,
    pub(crate) ranks: Vec<u16>,
    /// Which row stands at which number of the file.
    pub(crate) order: Vec<u32>,
}

impl SectionWriter {
    /// The sections of the file, in their order.
    pub(crate) fn sections(mut self) -> Vec<(&'static str, Vec<u8>)> {
        let mut number_of = vec![0_u32; self.order.len()];
        for (number, &row) in self.order.iter().enumerate() {
            number_of[row as usize] = number as u32;
        }
        let shapes = self.shapes(&number_of);
        let names = self.name_lists();
        let places = self.places(&number_of, &names.starts, &shapes.of_place);
        let index = self.name_index(&names);
        let [fine, coarse] = self.nearest_trees();
        let (houses, house_starts) = self.houses(&number_of);
        let adjacent = self.adjacent(&number_of);
        let keys = self.key_order();
        let sources: Vec<_> =
            self.draft.sources.iter().map(|it| tsv::line(&Fact::Source(it.clone()))).collect();
        let [shape_table, rings, corners] = shapes.sections;
        vec![
            ("places", places),
            ("names", names.list),
            ("strings", self.draft.strings.finish()),
            ("keys", keys),
            ("index", index.names),
            ("posts", index.posts),
            ("words", index.words),
            ("wposts", index.word_posts),
            ("cities", coarse),
            ("spots", fine),
            ("shapes", shape_table),
            ("rings", rings),
            ("corners", corners),
            ("streets", house_starts),
            ("houses", houses),
            ("adjacent", adjacent),
            ("sources", sources.join("\n").into_bytes()),
        ]
    }

    fn row(&self, number: usize) -> &Row {
        &self.draft.rows[self.order[number] as usize]
    }

    fn shapes(&mut self, number_of: &[u32]) -> ShapeSections {
        let mut shapes = std::mem::take(&mut self.draft.shapes);
        shapes.sort_by_key(|(row, _)| number_of[*row as usize]);
        let mut of_place = HashMap::new();
        let mut writer = ShapeWriter::default();
        for (shape, (row, outline)) in shapes.iter().enumerate() {
            let place = number_of[*row as usize];
            of_place.insert(place, shape as u32);
            writer.push(place, outline);
        }
        ShapeSections { sections: writer.finish(), of_place }
    }

    fn name_lists(&self) -> NameLists {
        let mut of_row: Vec<&[(u32, NameClass, u32)]> = vec![&[]; self.order.len()];
        for run in self.draft.names.chunk_by(|a, b| a.0 == b.0) {
            of_row[run[0].0 as usize] = run;
        }
        let mut lists =
            NameLists { starts: Vec::with_capacity(self.order.len() + 1), list: Vec::new() };
        for &row in &self.order {
            lists.starts.push((lists.list.len() / 4) as u32);
            for &(_, class, text) in of_row[row as usize] {
                lists.list.extend_from_slice(&layout::pack_name(class, text).to_le_bytes());
            }
        }
        lists.starts.push((lists.list.len() / 4) as u32);
        lists
    }

    fn places(&self, number_of: &[u32], names: &[u32], shapes: &HashMap<u32, u32>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity((self.order.len() + 1) * layout::PLACE);
        let mut first_child = 1;
        let mut countries = vec![0_u32; self.order.len()];
        let mut child_counts = vec![0_u32; self.order.len()];
        for number in 1..self.order.len() {
            let parent = self.parents[self.order[number] as usize].unwrap_or(0);
            child_counts[number_of[parent as usize] as usize] += 1;
        }
        for number in 0..self.order.len() {
            let row = self.row(number);
            let parent =
                self.parents[self.order[number] as usize].map_or(0, |it| number_of[it as usize]);
            let country =
                if row.kind == Kind::Country { number as u32 } else { countries[parent as usize] };
            countries[number] = country;
            let (lat, lon) = row.point.unwrap_or_default();
            PlaceRow {
                key: row.key,
                name: row.name,
                lat,
                lon,
                parent,
                names: names[number],
                children: first_child,
                shape: shapes.get(&(number as u32)).copied().unwrap_or(u32::MAX),
                tags: row.tags,
                country,
                population: row.population,
                kind: row.kind,
                seat: row.seat as u8,
                rank: self.ranks[self.order[number] as usize],
            }
            .write(&mut bytes);
            first_child += child_counts[number];
        }
        PlaceRow::end(names[self.order.len()], first_child).write(&mut bytes);
        bytes
    }

    fn name_index(&self, names: &NameLists) -> crate::name_index::NameSections {
        let mut writer = NameIndexWriter::default();
        for number in 0..self.order.len() {
            let row = self.row(number);
            let rank = self.ranks[self.order[number] as usize];
            let name = self.draft.strings.get(row.name);
            let main = spelling(name);
            writer.add(number as u32, row.kind, rank, NameClass::Main, &main, name);
            for at in names.starts[number]..names.starts[number + 1] {
                let packed = file::read_u32(&names.list, at as usize * 4);
                let (class, text) = layout::unpack_name(packed);
                writer.add(
                    number as u32,
                    row.kind,
                    rank,
                    class,
                    &main,
                    self.draft.strings.get(text),
                );
            }
        }
        writer.finish()
    }

    /// Two trees of points: streets, sights and other spots; cities and their districts.
    fn nearest_trees(&self) -> [Vec<u8>; 2] {
        let tree = |wanted: fn(Kind) -> bool| {
            let mut members: Vec<u32> = (0..self.order.len() as u32)
                .filter(|&it| wanted(self.row(it as usize).kind))
                .collect();
            kd::arrange(&mut members, |it| self.row(it as usize).degrees());
            members.iter().flat_map(|it| it.to_le_bytes()).collect()
        };
        [
            tree(|kind| kind > Kind::District),
            tree(|kind| matches!(kind, Kind::City | Kind::District)),
        ]
    }

    /// Houses sorted by street and number, and for each street with houses where they start.
    fn houses(&mut self, number_of: &[u32]) -> (Vec<u8>, Vec<u8>) {
        let by_key = &self.draft.by_key;
        let strings = &self.draft.strings;
        let mut houses: Vec<_> = std::mem::take(&mut self.draft.houses)
            .into_iter()
            .filter_map(|house| Some((number_of[*by_key.get(&house.street)? as usize], house)))
            .collect();
        houses.sort_by(|(a, one), (b, other)| {
            let number = |house: &House| {
                (layout::house_value(strings.get(house.number)), strings.get(house.number))
            };
            a.cmp(b).then_with(|| {
                number(one)
                    .cmp(&number(other))
                    .then((one.lat, one.lon).cmp(&(other.lat, other.lon)))
            })
        });
        houses.dedup_by(|(a, one), (b, other)| {
            a == b && one.number == other.number && one.postcode == other.postcode
        });
        let (mut rows, mut starts) = (Vec::new(), Vec::new());
        let mut street = None;
        for (at, (place, house)) in houses.iter().enumerate() {
            if street != Some(*place) {
                street = Some(*place);
                starts.extend([*place, at as u32].into_iter().flat_map(u32::to_le_bytes));
            }
            let numbers = [house.number, house.lat as u32, house.lon as u32, house.postcode];
            rows.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        }
        starts.extend([u32::MAX, houses.len() as u32].into_iter().flat_map(u32::to_le_bytes));
        (rows, starts)
    }

    /// Pairs of neighbours as the sources publish them, both ways, sorted.
    fn adjacent(&self, number_of: &[u32]) -> Vec<u8> {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for &(row, key) in &self.draft.adjacent {
            if let Some(&other) = self.draft.by_key.get(&key) {
                let (a, b) = (number_of[row as usize], number_of[other as usize]);
                pairs.extend([[a, b], [b, a]]);
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().flatten().flat_map(u32::to_le_bytes).collect()
    }

    /// The places' numbers in the order of their keys.
    fn key_order(&self) -> Vec<u8> {
        let mut numbers: Vec<u32> = (0..self.order.len() as u32).collect();
        numbers.sort_by_key(|&it| self.draft.strings.get(self.row(it as usize).key));
        numbers.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}

struct ShapeSections {
    sections: [Vec<u8>; 3],
    of_place: HashMap<u32, u32>,
}

struct NameLists {
    starts: Vec<u32>,
    list: Vec<u8>,
}
