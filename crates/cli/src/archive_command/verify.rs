//! `strabo archive verify`: whether the archive can be read, and is what was written.

use anyhow::{Result, bail};

use super::Folder;
use crate::output::{grouped, say};
use crate::progress;

/// So many places of trouble are shown.
const SHOWN: usize = 20;

pub(super) fn run(folder: &Folder) -> Result<()> {
    let bar = progress::bytes(0, "verifying");
    let path = folder.path();
    let verified = archive::verify(&path, &mut |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    let verified = verified?;
    let mut text = format!(
        "{} files, {} MB, {} records: {} as their digests say, {} without a digest\n",
        grouped(verified.files as usize),
        grouped(verified.bytes.div_ceil(1_000_000) as usize),
        grouped(verified.records as usize),
        grouped(verified.agreeing as usize),
        grouped(verified.unstated as usize)
    );
    for position in verified.disagreements.iter().take(SHOWN) {
        text += &format!("  {position}: the record is not what its digest says\n");
    }
    for (file, broken) in verified.breaks.iter().take(SHOWN) {
        text += &format!("  {file}: {broken}\n");
    }
    for position in verified.torn.iter().take(SHOWN) {
        text += &format!("  {position}: the file ends with something that is no whole record\n");
    }
    say(&text)?;
    if !verified.is_whole() {
        bail!(
            "{} is not whole: {} records with other digests, {} stretches unreadable, {} files torn",
            path.display(),
            grouped(verified.disagreeing as usize),
            grouped(verified.broken as usize),
            grouped(verified.torn.len())
        );
    }
    Ok(())
}
