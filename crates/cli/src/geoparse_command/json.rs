//! JSON on a terminal.

use anyhow::Result;
use serde_json::Value;

use crate::output;

/// Prints a value. What a terminal would obey is escaped, so that every character stays what it is.
pub(crate) fn say(value: &Value) -> Result<()> {
    output::say(&escaped(&serde_json::to_string_pretty(value)?))
}

/// JSON with everything escaped that is not shown as it is.
pub(crate) fn escaped(json: &str) -> String {
    let is_odd = |it: char| matches!(it, '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut text = String::with_capacity(json.len());
    for it in json.chars() {
        if is_odd(it) {
            text += &format!("\\u{:04x}", u32::from(it));
        } else {
            text.push(it);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_stays_the_same_character() {
        let text = "a\u{202e}b\u{9b}c\u{1b}";
        let json = escaped(&serde_json::to_string(text).unwrap());
        assert_eq!(json, r#""a\u202eb\u009bc\u001b""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
