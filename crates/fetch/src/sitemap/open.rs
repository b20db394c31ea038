//! The elements that are open at a place in a document.

/// Sitemaps with all extensions have five levels; whoever has more is up to something.
const MAX_DEPTH: usize = 64;

/// The names of the open elements, the root first.
#[derive(Default)]
pub(super) struct Open {
    names: String,
    starts: Vec<usize>,
}

impl Open {
    pub(super) fn depth(&self) -> usize {
        self.starts.len()
    }

    /// Opens another, unless there are too many.
    pub(super) fn push(&mut self, name: &str) -> bool {
        if self.depth() == MAX_DEPTH {
            return false;
        }
        self.starts.push(self.names.len());
        self.names.push_str(name);
        true
    }

    /// Leaves so many open.
    pub(super) fn truncate(&mut self, depth: usize) {
        if let Some(start) = self.starts.get(depth) {
            self.names.truncate(*start);
            self.starts.truncate(depth);
        }
    }

    /// How many stay open when the innermost element of this name is closed; none if there is no
    /// such element.
    pub(super) fn depth_outside(&self, name: &str) -> Option<usize> {
        let mut end = self.names.len();
        for (depth, start) in self.starts.iter().enumerate().rev() {
            if self.names[*start..end] == *name {
                return Some(depth);
            }
            end = *start;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(names: &[&str], closed: &str, expected: Option<usize>) {
        let mut open = Open::default();
        names.iter().for_each(|name| assert!(open.push(name)));
        assert_eq!(open.depth_outside(closed), expected);
        open.truncate(expected.unwrap_or(usize::MAX));
        assert_eq!(open.depth(), expected.unwrap_or(names.len()));
    }

    #[test]
    fn the_innermost_element_of_a_name_is_closed() {
        check(&["a", "b", "c"], "c", Some(2));
        check(&["a", "b", "a", "c"], "a", Some(2));
        check(&["a", "b"], "c", None);
        check(&["ab", "c"], "b", None);
        check(&[], "", None);
    }

    #[test]
    fn nothing_gets_too_deep() {
        let mut open = Open::default();
        let pushed = (0..1000).filter(|_| open.push("a")).count();
        assert_eq!((pushed, open.depth()), (MAX_DEPTH, MAX_DEPTH));
    }
}
