//! What the browser looks at: the real program over a few pages.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::driver::{Browser, ENTER, Scripts};

/// Pages about places. The first four lie apart from each other in Helsinki, two more at one spot; the rest is far.
pub(crate) const PAGES: &str = r#"{"id":"ateneum","url":"https://example.fi/ateneum","title":"Ateneum art museum","text":"A museum of paintings at Kaivokatu 2, 00100 Helsinki, Finland.","points":[24.9442,60.1701],"published":"2024-03-01","language":"en"}
{"id":"kiasma","url":"https://example.fi/kiasma","title":"Kiasma museum","text":"A museum of contemporary art.","points":[24.9168,60.1819],"published":"2023-03-01","language":"en"}
{"id":"fort","url":"https://example.fi/fort","title":"Fortress museum","text":"A fortress with a museum on six islands.","points":[24.9881,60.1454],"published":"2022-05-01","language":"en"}
{"id":"design","url":"https://example.fi/design","title":"Design museum","text":"A museum of chairs and lamps.","points":[24.9560,60.1930],"published":"2021-05-01","language":"en"}
{"id":"hall","url":"https://example.fi/hall","title":"Museum in the hall","text":"A museum about markets.","points":[24.9000,60.1600],"published":"2021-07-01","language":"en"}
{"id":"cellar","url":"https://example.fi/cellar","title":"Museum in the cellar","text":"A museum about ice, below the museum about markets.","points":[24.9000,60.1600],"published":"2021-08-01","language":"en"}
{"id":"spies","url":"https://museo.example.fi/","title":"Spy museum","text":"A museum about spies in an old factory.","place":"Tampere","published":"2020-05-01","language":"en"}
{"id":"castle","url":"https://example.uk/castle","title":"The castle","text":"A castle with a museum of war, on a rock above Edinburgh.","points":[-3.2008,55.9486],"published":"2021-04-05","language":"en"}
{"id":"library","url":"https://example.fr/library","title":"Library on the hill","text":"A library with a garden in Beausoleil, France.","published":"2021-09-01","language":"en"}
{"id":"sea","url":"https://example.mc/sea","title":"Museum of the sea","text":"A museum with fish, in Monaco.","points":[7.4254,43.7308],"published":"2024-06-30","language":"en"}
"#;

/// What operators sign in with.
const TOKEN: &str = "a token for tests alone";

/// One browser at a time: the machine has other things to do.
static TURN: Mutex<()> = Mutex::new(());

/// A server of its own and a browser that looks at it.
pub(crate) struct Stage {
    pub(crate) browser: Browser,
    server: Child,
    data: tempfile::TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Stage {
    /// A stage for people with scripts.
    pub(crate) fn new() -> Self {
        Self::with(Scripts::Run)
    }

    /// A stage for people without them.
    pub(crate) fn without_scripts() -> Self {
        Self::with(Scripts::Rest)
    }

    /// A stage with the pages of the operators, who sign in with [`TOKEN`] and may crawl this machine.
    pub(crate) fn for_operators() -> Self {
        Self::serving(Scripts::Run, &["--operator-token-file", "token", "--allow-private"])
    }

    /// Signs an operator in.
    pub(crate) fn sign_in(&self) {
        self.browser.visit("/crawls");
        self.browser.click("#token");
        self.browser.keys(TOKEN.chars().chain([ENTER]));
        self.browser.wait("return document.querySelector('.crawls .panel')");
    }

    /// The same for operators without scripts.
    pub(crate) fn for_operators_without_scripts() -> Self {
        Self::serving(Scripts::Rest, &["--operator-token-file", "token", "--allow-private"])
    }

    /// A stage without an index.
    pub(crate) fn empty() -> Self {
        Self::over("", Scripts::Run, &[])
    }

    /// A stage where nobody may ask much, not even on this machine.
    pub(crate) fn with_limits() -> Self {
        Self::serving(Scripts::Run, &["--rate", "1", "--behind-proxy"])
    }

    /// Sees to it that what readers say cannot be kept.
    pub(crate) fn lose_the_book(&self) {
        let book = self.data.path().join("strabo-data/feedback.jsonl");
        std::fs::create_dir(book).expect("nobody has said anything yet");
    }

    fn with(scripts: Scripts) -> Self {
        Self::serving(scripts, &[])
    }

    fn serving(scripts: Scripts, settings: &[&str]) -> Self {
        Self::over(PAGES, scripts, settings)
    }

    fn over(pages: &str, scripts: Scripts, settings: &[&str]) -> Self {
        // A test that failed leaves nothing behind that could harm the next.
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let data = tempfile::tempdir().expect("there is room for an index");
        let strabo = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_strabo"));
            command.args(arguments).current_dir(data.path());
            for name in ["STRABO_DATA", "STRABO_GAZETTEER", "STRABO_LISTEN"] {
                command.env_remove(name);
            }
            command
        };
        if !pages.is_empty() {
            std::fs::write(data.path().join("pages.jsonl"), pages).expect("pages can be written");
            let indexed = strabo(&["index", "pages.jsonl"]).output().expect("the program starts");
            assert!(indexed.status.success(), "{}", String::from_utf8_lossy(&indexed.stderr));
        }
        std::fs::write(data.path().join("token"), TOKEN).expect("a token can be written");
        let mut server = strabo(&["serve", "--listen", "127.0.0.1:0"])
            .args(settings)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = server.stdout.as_mut().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("the server says where it is");
        let address = line.split('/').nth(2).expect("it says so in an address");
        let browser = Browser::open(&format!("http://{}", address.trim()), scripts);
        Self { browser, server, data, _turn: turn }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
