//! Offsets in characters, for programs that do not count in bytes.

/// Turns offsets in bytes, asked in rising order, into offsets in characters.
pub struct Characters<'t> {
    text: &'t str,
    byte: usize,
    character: usize,
}

impl<'t> Characters<'t> {
    /// None were asked for yet.
    pub fn of(text: &'t str) -> Self {
        Self { text, byte: 0, character: 0 }
    }

    /// How many characters stand before this byte.
    pub fn before(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.character) = (0, 0);
        }
        self.character += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.character
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_characters_in_any_order() {
        let mut characters = Characters::of("Łódź und Köln");
        assert_eq!(characters.before(0), 0);
        assert_eq!(characters.before("Łódź".len()), 4);
        assert_eq!(characters.before("Łódź und Köln".len()), 13);
        assert_eq!(characters.before("Łódź und ".len()), 9);
    }
}
