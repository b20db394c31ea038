//! Words of every page, whatever it is about.

use std::collections::HashSet;
use std::sync::LazyLock;

/// True for a word, folded, that pages of any topic have.
pub(crate) fn is_common_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

static STOP_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = LISTS.iter().flat_map(|list| list.split_ascii_whitespace());
    words.flat_map(crate::word::folded).collect()
});

/// The function words of the languages that most pages are in, and the words of menus. Words of
/// fewer than three letters are not needed.
const LISTS: [&str; 9] = [
    // English
    "the and for are was were been being has have had having not but that this these those with from \
     will would can could should shall may might must its his her hers him she they them their theirs \
     our ours your yours you who whom whose which what when where why how all any both each few more \
     most other others some such than then there here too very just also only own same into onto upon \
     over under again further once about above below between after before during through against \
     because while until out off down did does doing done said says say one two three first second \
     last next new now yet ever never even still since per via among within without like many much \
     well back year years day days week month time people made make get got use used",
    // German
    "der die das den dem des ein eine einer einem einen eines und oder aber doch nicht auch noch nur \
     schon sehr mehr als wie wenn dann dass weil bei mit von vom zum zur aus auf für über unter nach \
     vor durch gegen ohne zwischen ist sind war waren wird werden wurde wurden hat haben hatte hatten \
     sein seine seiner seinem seinen ihr ihre ihrer ihrem ihren sich sie wir uns unser unsere ich man \
     kann können muss müssen soll sollen will wollen dieser diese dieses diesem diesen jeder jede alle \
     allen alles viel viele hier dort jetzt heute immer bis seit beim ins ans worden bereits etwa",
    // French
    "les des une dans par pour sur avec sans sous entre vers chez est sont était étaient été être \
     avoir ont avait avaient que qui quoi dont où mais donc car pas plus moins très aussi encore \
     toujours jamais elle elles ils nous vous leur leurs son ses mon mes ton tes notre votre nos vos \
     cette ces celui celle tout tous toute toutes même comme après avant depuis pendant ainsi aux",
    // Spanish
    "los las una unos unas del por para con sin sobre entre hasta desde que quien cual como cuando \
     donde pero más menos muy también todavía siempre nunca ella ellas ellos nosotros usted ustedes \
     sus mis tus nuestro nuestra este esta estos estas ese esa esos esas aquel todo todos toda todas \
     mismo son era eran fue fueron ser estar está están han había haber hay tiene tienen según",
    // Italian
    "gli una uno del della delle dello degli dei nel nella nelle nei dal dalla dalle dai sul sulla \
     sulle con per tra fra che chi cui come quando dove perché non più meno molto anche ancora sempre \
     mai lei lui loro noi voi suo sua suoi sue mio mia nostro nostra questo questa questi queste \
     quello quella tutto tutti tutta tutte stesso sono era erano stato stata essere avere hanno aveva",
    // Dutch
    "het een van voor met door over onder naar uit bij tot niet ook nog maar meer als dan dat deze die \
     dit zijn was waren wordt worden werd werden heeft hebben had hij zij wij ons onze hun haar jullie \
     wat wie waar wanneer hoe alle alles veel zeer hier daar altijd nooit sinds tussen zonder kan kunnen",
    // Portuguese
    "uma uns umas dos das nos nas pelo pela pelos pelas com sem sobre entre até desde que quem qual \
     como quando onde mas mais menos muito também ainda sempre nunca ela elas eles nós você vocês seu \
     sua seus suas meu minha nosso nossa este esta estes estas esse essa isso tudo todos toda todas \
     mesmo são era eram foi foram ser estar está estão tem têm havia não",
    // Nordic languages
    "och att det som för med den har inte till ett han hon var jag vid kan från eller men när ska också \
     ikke til han hun blev efter fra være skal ved ikkje ein eit ovat oli ollut mutta sekä että kun niin \
     myös joka jotka tämä tässä hän",
    // Menus
    "home page pages site website contact imprint impressum kontakt news menu search login register \
     privacy cookies cookie terms copyright rights reserved read click link links email mail phone www \
     http https html com org net share print subscribe newsletter comments comment archive startseite \
     datenschutz suche accueil inicio contacto recherche",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: bool) {
        assert_eq!(is_common_word(word), expected, "{word}");
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
