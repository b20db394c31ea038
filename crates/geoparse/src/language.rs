//! The language of a text, guessed from its ordinary words.

use crate::lexicon::{self, LANGUAGES};
use crate::token::{Shape, Tokens};

/// How many words are looked at: enough to be sure, few enough to cost nothing.
const ENOUGH: usize = 60;

/// The languages a text may be in, as bits of the lexicon: one if it is clear, all if nothing is known.
pub(crate) fn guess(tokens: &Tokens) -> u32 {
    let mut counts = [0_u32; LANGUAGES.len()];
    let small = (0..tokens.len())
        .filter(|it| tokens.get(*it).is_some_and(|token| token.shape == Shape::Lower))
        .take(ENOUGH);
    for at in small {
        let languages = lexicon::look_up(tokens.word(at)).languages();
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += languages >> bit & 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    if most < 3 {
        return u32::MAX;
    }
    counts
        .iter()
        .enumerate()
        .filter(|it| *it.1 * 20 >= most * 19)
        .fold(0, |bits, it| bits | 1 << it.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::language_bit;

    #[track_caller]
    fn check(text: &str, code: &str) {
        assert_eq!(guess(&Tokens::of(text)), language_bit(code), "{text}");
    }

    #[test]
    fn a_few_words_tell_the_language() {
        check("the house stood on the other side of the river and nobody knew why", "en");
        check("das Haus stand auf der anderen Seite des Flusses und niemand wusste warum", "de");
        check(
            "la maison se trouvait de l'autre côté de la rivière et personne ne savait pourquoi",
            "fr",
        );
        check(
            "la casa estaba al otro lado del río y nadie sabía por qué había quedado vacía",
            "es",
        );
        check(
            "talo seisoi joen toisella puolella eikä kukaan tiennyt miksi se oli jäänyt tyhjäksi",
            "fi",
        );
    }

    #[test]
    fn no_words_may_be_any_language() {
        assert_eq!(guess(&Tokens::of("")), u32::MAX);
        assert_eq!(guess(&Tokens::of("12 34")), u32::MAX);
    }
}
