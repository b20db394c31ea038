//! The tools of the simulated web, which are programs in Python: they run beside this one.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use rustix::process::{Pid, Signal, kill_process};

use super::halt::Halt;

const PYTHON: &str = "python3";
/// What is called of the tools.
const SCRIPTS: [&str; 3] = ["simweb.py", "score.py", "baselines.py"];
/// How often it is looked whether a program has ended.
const OFTEN: Duration = Duration::from_millis(20);
/// How long a program may take to end when it is asked to.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tools of the simulated web.
#[derive(Clone)]
pub(super) struct Tools {
    folder: PathBuf,
    halt: Halt,
}

impl Tools {
    /// The tools in a folder.
    pub(super) fn at(folder: &Path, halt: Halt) -> Result<Self> {
        for script in SCRIPTS {
            if !folder.join(script).is_file() {
                bail!(
                    "{} has no {script}: --simweb names the folder with the tools of the simulated web",
                    folder.display()
                );
            }
        }
        Ok(Self { folder: folder.to_owned(), halt })
    }

    /// Whether the operator wants all to end.
    pub(super) fn halt(&self) -> &Halt {
        &self.halt
    }

    /// Runs a tool to its end and gives what it says, which is then in this file, too.
    pub(super) fn run(&self, said: &Path, script: &str, arguments: &[&str]) -> Result<String> {
        let mut process = self.start(&beside(said, "part"), script, arguments)?;
        let status = process.wait(&self.halt)?;
        let complaint = process.complaint();
        if self.halt.is_wished() {
            bail!("stopped");
        }
        if !status.success() {
            bail!("{script} {} failed: {complaint}", arguments.join(" "));
        }
        fs::rename(beside(said, "part"), said)
            .and_then(|()| fs::read_to_string(said))
            .with_context(|| format!("{}", said.display()))
    }

    /// Starts a tool that says what it says into a file.
    pub(super) fn start(&self, said: &Path, script: &str, arguments: &[&str]) -> Result<Process> {
        let create =
            |path: &Path| File::create(path).with_context(|| format!("{}", path.display()));
        let complaints = beside(said, "err");
        let mut command = Command::new(PYTHON);
        command
            .arg(self.folder.join(script))
            .args(arguments)
            // The tools may lie where nobody should write.
            .env("PYTHONDONTWRITEBYTECODE", "1")
            // Ctrl-C is for this program, which ends its tools when it no longer needs them.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(create(said)?)
            .stderr(create(&complaints)?);
        let child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => {
                anyhow!("there is no {PYTHON}: the simulated web needs Python 3.11 or newer")
            }
            _ => anyhow!("{PYTHON} cannot be started: {error}"),
        })?;
        Ok(Process { child, complaints })
    }
}

/// A tool that runs; it ends when nobody holds it any more.
pub(super) struct Process {
    child: Child,
    complaints: PathBuf,
}

impl Process {
    /// How it ended, if it has.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().context("it is not known whether a tool of the simulated web runs")
    }

    /// What it complained of in the end.
    pub(super) fn complaint(&self) -> String {
        let text = fs::read_to_string(&self.complaints).unwrap_or_default();
        let last = text.lines().rev().find(|it| !it.trim().is_empty());
        last.unwrap_or("it did not say why").trim().to_owned()
    }

    /// Comes back when it has ended, or the operator wants all to end.
    fn wait(&mut self, halt: &Halt) -> Result<ExitStatus> {
        loop {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            if halt.is_wished() {
                return self.stop();
            }
            thread::sleep(OFTEN);
        }
    }

    /// Asks it to end, so that it can write down what it has, and waits for that.
    pub(super) fn stop(&mut self) -> Result<ExitStatus> {
        if let Some(pid) = Pid::from_raw(i32::try_from(self.child.id()).unwrap_or_default()) {
            // It may have ended already.
            let _ = kill_process(pid, Signal::TERM);
        }
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            thread::sleep(OFTEN);
        }
        self.child.kill().and_then(|()| self.child.wait()).context("a tool does not end")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // If it has ended, both fail and nothing is left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let is_silent = fs::metadata(&self.complaints).is_ok_and(|it| it.len() == 0);
        if is_silent {
            let _ = fs::remove_file(&self.complaints);
        }
    }
}

/// A file beside another, with one more ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_tools_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = |folder: &Path| {
            Tools::at(folder, Halt::deaf()).err().expect("there are none").to_string()
        };
        assert!(told(folder.path()).contains("has no simweb.py: --simweb names the folder"));
        fs::write(folder.path().join("simweb.py"), "").expect("it is written");
        assert!(told(folder.path()).contains("has no score.py"));
    }

    #[test]
    fn a_file_beside_another_has_one_more_ending() {
        assert_eq!(beside(Path::new("a/score.txt"), "part"), Path::new("a/score.txt.part"));
    }
}
