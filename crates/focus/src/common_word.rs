//! Words of every page, whatever it is about.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::stop_words::stop_words;
use crate::word::folded;

/// True for a word, folded, that pages of any topic have.
pub(crate) fn is_common_word(word: &str) -> bool {
    COMMON.contains(word)
}

static COMMON: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = LISTS.iter().flat_map(|list| list.split_ascii_whitespace());
    stop_words().chain(words).flat_map(folded).collect()
});

/// What any page has beside stop words: longer function words of the languages that most pages are
/// in, and the words of menus, which say much about a link and nothing about a page.
const LISTS: [&str; 9] = [
    // English
    "being having these those could should shall may might must hers him them theirs ours yours \
     whom whose why both each few most other others some such too very just only own same onto \
     upon over under again further once above below between after before during through against \
     because while until off down did doing done said says say one two three first second last \
     next new now yet ever never even still since via among within without like many much well \
     back year years day days week month time people made make get got use used",
    // German
    "aber doch schon sehr wenn dann weil vom gegen ohne zwischen waren wurde wurden hatte hatten \
     sein seine seiner seinem seinen ihrer ihrem ihren unsere können muss müssen soll sollen \
     wollen dieser diese dieses diesem diesen jeder jede alle allen alles viel viele dort jetzt \
     heute immer seit ins ans worden bereits etwa",
    // French
    "sans sous entre vers chez était étaient été être avoir ont avait avaient quoi dont donc car \
     moins très aussi encore toujours jamais elles leur leurs mon mes ton tes celui celle tout \
     tous toute toutes même comme après avant depuis pendant ainsi",
    // Spanish
    "unos unas hasta desde quien cual cuando donde pero menos muy también todavía siempre nunca \
     ella ellas ellos nosotros usted ustedes mis tus nuestro nuestra estos estas ese esa esos \
     esas aquel todo todos toda todas mismo era eran fue fueron ser estar están han había haber \
     hay tiene tienen según",
    // Italian
    "uno degli nelle nei dalla dalle dai sul sulla sulle tra fra chi cui quando dove perché meno \
     molto ancora sempre mai lei lui loro noi voi suo suoi sue mio mia nostro nostra questo \
     questa questi queste quello quella tutto tutti tutta tutte stesso erano stato stata essere \
     avere hanno aveva",
    // Dutch
    "onder uit tot nog maar meer dan deze dit wordt werd heeft hebben zij hun haar jullie wat \
     waar wanneer hoe veel zeer daar altijd nooit sinds tussen zonder kunnen",
    // Portuguese
    "umas pelos pelas sem até quem qual onde muito também ainda ela elas eles você vocês seus \
     suas meu minha nosso nossa estes esse essa isso tudo mesmo são eram foi foram estão tem \
     havia",
    // Nordic languages
    "med hon var jag vid eller men när ska också til blev efter være skal ved ikkje eit ovat oli \
     ollut mutta sekä että kun niin myös joka jotka tämä tässä",
    // Menus
    "home page pages site website contact imprint impressum kontakt news menu search login \
     register privacy cookies cookie terms copyright rights reserved read click link links email \
     mail phone www http https html org net share print subscribe newsletter comments comment \
     archive startseite datenschutz suche accueil inicio contacto recherche",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: bool) {
        assert_eq!(is_common_word(word), expected, "{word}");
    }

    #[test]
    fn no_word_is_in_two_lists() {
        let words = LISTS.iter().flat_map(|list| list.split_ascii_whitespace());
        let mut met: HashSet<_> = stop_words().flat_map(folded).collect();
        for word in words {
            assert!(folded(word).into_iter().all(|it| met.insert(it)), "{word}");
        }
    }

    #[test]
    fn function_words_and_menus_say_nothing() {
        check("the", true);
        check("fur", true);
        check("etait", true);
        check("impressum", true);
        check("harbour", false);
        check("hafen", false);
    }
}
