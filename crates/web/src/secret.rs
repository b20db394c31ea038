//! Secrets: random digits that nobody can guess.

/// 256 bits, as OWASP asks for twice over.
const SECRET_BYTES: usize = 32;

/// Random digits that nobody can guess; nothing if the system has no random numbers.
pub(crate) fn secret() -> Option<String> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .inspect_err(|error| tracing::error!(%error, "the system has no random numbers"))
        .ok()?;
    let mut digits = String::new();
    for byte in bytes {
        digits.push_str(&format!("{byte:02x}"));
    }
    Some(digits)
}
