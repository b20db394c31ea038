//! The token of the operators: whoever has it may command crawls.

use std::fmt;

use subtle::ConstantTimeEq;

use crate::secret::secret;

/// Sixteen characters of hexadecimal digits are 64 bits: at five guesses a minute nobody finds them.
const SHORTEST: usize = 16;

/// 128 bits are more than enough, and still short enough to be copied by hand.
const RANDOM: usize = 32;

/// The token of the operators. It is never shown.
#[derive(Clone)]
pub struct Token(String);

/// The token is too short to keep anybody out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the operators' token has {0} characters, it needs {least}: make one with \"openssl rand -hex 16\"",
    least = SHORTEST
)]
pub struct ShortToken(usize);

impl Token {
    /// A token; what is blank around it does not belong to it.
    pub fn new(text: &str) -> Result<Self, ShortToken> {
        let text = text.trim();
        let length = text.chars().count();
        if length < SHORTEST { Err(ShortToken(length)) } else { Ok(Self(text.to_owned())) }
    }

    /// A token that nobody can guess, and its text for who is to have it; nothing if the system has no random numbers.
    pub fn random() -> Option<(Self, String)> {
        let text: String = secret()?.chars().take(RANDOM).collect();
        Some((Self(text.clone()), text))
    }

    /// Whether this is it. How long that takes tells nothing but the token's length.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.trim().as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_and_never_shown() {
        assert_eq!(Token::new(" short\n").expect_err("it is"), ShortToken(5));
        let token = Token::new("0123456789abcdef\n").expect("it is long enough");
        assert!(token.is("0123456789abcdef"));
        assert!(!token.is("0123456789abcdeF") && !token.is("0123456789abcde") && !token.is(""));
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn a_random_token_is_another_each_time_and_long_enough() {
        let [(one, text), (_, other)] = [(); 2].map(|()| Token::random().expect("a token"));
        assert!(one.is(&text) && !one.is(&other));
        assert!(Token::new(&text).is_ok_and(|it| it.is(&text)));
    }
}
