//! A browser without a screen, driven through `chromedriver` by the `WebDriver` protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What the page has not done after so long, it will not do.
const PATIENCE: Duration = Duration::from_secs(30);

/// Keys that are no letters, as the protocol writes them.
pub(crate) const BACKSPACE: char = '\u{e003}';
pub(crate) const TAB: char = '\u{e004}';
pub(crate) const ENTER: char = '\u{e007}';
pub(crate) const ESCAPE: char = '\u{e00c}';
pub(crate) const LEFT: char = '\u{e012}';
pub(crate) const UP: char = '\u{e013}';
pub(crate) const RIGHT: char = '\u{e014}';
pub(crate) const DOWN: char = '\u{e015}';

/// A browser with one page. It ends with this value.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    origin: String,
}

/// Whether pages may run scripts, as the browser's settings write it.
#[derive(Clone, Copy)]
pub(crate) enum Scripts {
    Run = 1,
    Rest = 2,
}

/// What a hand does with a pointer.
#[derive(Clone, Copy)]
pub(crate) enum Hand {
    Move(f64, f64),
    Press,
    Release,
}

/// A file that the browser has asked for.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) url: String,
    /// How many bytes came, with their headers.
    pub(crate) bytes: u64,
}

impl Browser {
    /// A browser for the pages of an origin.
    pub(crate) fn open(origin: &str, scripts: Scripts) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts: tests/run.sh installs it");
        let out = BufReader::new(driver.stdout.take().expect("it is piped"));
        let port = out
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver tells its port");
        // No name leads anywhere: what is not on this machine cannot be reached.
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--window-size=1280,800",
            "--lang=en",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ];
        let setting = "profile.managed_default_content_settings.javascript";
        let wishes = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": {
                "args": arguments,
                "prefs": { (setting): scripts as u8, "intl.accept_languages": "en" },
            },
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        } } });
        let origin = origin.to_owned();
        let mut browser = Self { driver, port, session: String::new(), origin };
        let answer = browser.ask("POST", "/session", &wishes).expect("chromium starts");
        let id = answer["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("/session/{id}");
        browser.resize(1280, 800);
        browser
    }

    /// Goes to a page and waits until it is loaded.
    pub(crate) fn visit(&self, path: &str) {
        self.act("/url", &json!({ "url": format!("{}{path}", self.origin) }));
    }

    /// Goes back, as the button of the browser does.
    pub(crate) fn back(&self) {
        self.act("/back", &json!({}));
    }

    /// Goes forward again.
    pub(crate) fn forward(&self) {
        self.act("/forward", &json!({}));
    }

    /// The path and the query of the page.
    pub(crate) fn path(&self) -> String {
        let url = self.value("return location.pathname + location.search");
        url.as_str().expect("an address is text").to_owned()
    }

    /// What a script returns.
    #[track_caller]
    pub(crate) fn value(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        match self.ask("POST", &format!("{}/execute/sync", self.session), &body) {
            Ok(value) => value,
            Err(error) => panic!("{script}: {error}"),
        }
    }

    /// What a script returns once that is something; pages may come and go until then.
    #[track_caller]
    pub(crate) fn wait(&self, script: &str) -> Value {
        let looking = format!(
            "const done = arguments[0], end = performance.now() + 2000;
             const look = () => {{
                const found = (() => {{ {script} }})();
                if (found || performance.now() > end) done(found); else setTimeout(look, 15);
             }};
             look();"
        );
        let (body, start) = (json!({ "script": looking, "args": [] }), Instant::now());
        let path = format!("{}/execute/async", self.session);
        let mut last = String::new();
        while start.elapsed() < PATIENCE {
            match self.ask("POST", &path, &body) {
                Ok(Value::Null | Value::Bool(false)) => {}
                Ok(found) => return found,
                Err(error) => last = error,
            }
        }
        panic!("{} never comes to {script}: {last} {:?}", self.path(), self.complaints());
    }

    /// Presses keys one after the other, wherever the focus is.
    pub(crate) fn keys(&self, keys: impl IntoIterator<Item = char>) {
        let strokes = keys.into_iter().flat_map(|key| {
            [
                json!({ "type": "keyDown", "value": key.to_string() }),
                json!({ "type": "keyUp", "value": key.to_string() }),
            ]
        });
        let strokes: Vec<Value> = strokes.collect();
        let source = json!({ "type": "key", "id": "keys", "actions": strokes });
        self.act("/actions", &json!({ "actions": [source] }));
    }

    /// Moves and presses the pointer.
    pub(crate) fn hand(&self, steps: &[Hand]) {
        let step = |it: &Hand| match it {
            Hand::Move(x, y) => {
                json!({ "type": "pointerMove", "duration": 30, "x": x.round(), "y": y.round() })
            }
            Hand::Press => json!({ "type": "pointerDown", "button": 0 }),
            Hand::Release => json!({ "type": "pointerUp", "button": 0 }),
        };
        let steps: Vec<Value> = steps.iter().map(step).collect();
        let source = json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": steps,
        });
        self.act("/actions", &json!({ "actions": [source] }));
    }

    /// Turns the wheel at a point; so far down.
    pub(crate) fn wheel(&self, (x, y): (f64, f64), down: i32) {
        let turn = json!({
            "type": "scroll", "x": x.round() as i64, "y": y.round() as i64, "deltaX": 0, "deltaY": down, "origin": "viewport",
        });
        let source = json!({ "type": "wheel", "id": "wheel", "actions": [turn] });
        self.act("/actions", &json!({ "actions": [source] }));
    }

    /// Goes on with the key that leads to the next thing, until it is the one that is meant.
    #[track_caller]
    pub(crate) fn tab_to(&self, selector: &str) {
        for _ in 0..80 {
            self.keys([TAB]);
            if self.value(&format!("return document.activeElement.matches(`{selector}`)")) == true {
                return;
            }
        }
        panic!("no key leads to {selector} on {}", self.path());
    }

    /// Clicks into the middle of an element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.reveal(selector);
        let (x, y) = self.middle(selector);
        self.hand(&[Hand::Move(x, y), Hand::Press, Hand::Release]);
    }

    /// Scrolls until an element is in the window, if it is not.
    #[track_caller]
    fn reveal(&self, selector: &str) {
        self.wait(&format!(
            "const it = document.querySelector(`{selector}`);
             const box = it?.getBoundingClientRect();
             if (box && (box.top < 0 || box.bottom > innerHeight)) it.scrollIntoView({{ block: 'center' }});
             return it"
        ));
    }

    /// The middle of an element in the window.
    #[track_caller]
    pub(crate) fn middle(&self, selector: &str) -> (f64, f64) {
        let script = format!(
            "const it = document.querySelector(`{selector}`)?.getBoundingClientRect();
             return it && it.width && [it.x + it.width / 2, it.y + it.height / 2]"
        );
        let found = self.wait(&script);
        let at = |axis: usize| found[axis].as_f64().expect("a position is a number");
        (at(0), at(1))
    }

    /// Gives the page another size.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Wishes for a `dark` page, or a `light` one.
    pub(crate) fn prefer(&self, colours: &str) {
        self.wish("prefers-color-scheme", colours);
    }

    /// What the reader wishes for, as a feature of the media queries.
    pub(crate) fn wish(&self, feature: &str, value: &str) {
        let feature = json!({ "name": feature, "value": value });
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Shows the page as it would be printed.
    pub(crate) fn on_paper(&self) {
        self.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    }

    /// Puts the user somewhere, and lets pages know it.
    pub(crate) fn stand(&self, lat: f64, lon: f64) {
        let allowed = json!({ "origin": self.origin, "permissions": ["geolocation"] });
        self.devtools("Browser.grantPermissions", &allowed);
        let position = json!({ "latitude": lat, "longitude": lon, "accuracy": 10 });
        self.devtools("Emulation.setGeolocationOverride", &position);
    }

    /// What was asked for since the last time.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let mut requests: Vec<(String, Request)> = Vec::new();
        for (method, parameters) in self.events() {
            let id = parameters["requestId"].as_str().unwrap_or_default();
            match method.as_str() {
                "Network.requestWillBeSent" => {
                    let url = parameters["request"]["url"].as_str().unwrap_or_default().to_owned();
                    requests.push((id.to_owned(), Request { url, bytes: 0 }));
                }
                "Network.loadingFinished" => {
                    let bytes = parameters["encodedDataLength"].as_f64().unwrap_or_default();
                    let request = requests.iter_mut().rev().find(|it| it.0 == id);
                    if let Some((_, request)) = request {
                        request.bytes = bytes as u64;
                    }
                }
                _ => {}
            }
        }
        requests.into_iter().map(|it| it.1).collect()
    }

    /// What the browser has complained about: errors of scripts, refusals of the policy.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log =
            self.ask("POST", &format!("{}/se/log", self.session), &json!({ "type": "browser" }));
        let log = log.unwrap_or_default();
        let entries = log.as_array().into_iter().flatten();
        let severe = entries.filter(|it| it["level"] == "SEVERE");
        severe.map(|it| it["message"].to_string()).collect()
    }

    /// A picture of what is seen, written where `STRABO_PICTURES` says, if it says so.
    pub(crate) fn picture(&self, name: &str) {
        let Ok(folder) = std::env::var("STRABO_PICTURES") else { return };
        let answer = self.devtools("Page.captureScreenshot", &json!({ "format": "png" }));
        let data = answer["data"].as_str().expect("a picture is text");
        let file = std::path::Path::new(&folder).join(format!("{name}.base64"));
        std::fs::write(&file, data).expect("the folder for pictures can be written to");
    }

    fn events(&self) -> impl Iterator<Item = (String, Value)> {
        let body = json!({ "type": "performance" });
        let log = self.act("/se/log", &body).as_array().cloned().unwrap_or_default();
        log.into_iter().filter_map(|entry| {
            let event: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &event["message"];
            Some((message["method"].as_str()?.to_owned(), message["params"].clone()))
        })
    }

    #[track_caller]
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.act("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    #[track_caller]
    fn act(&self, path: &str, body: &Value) -> Value {
        match self.ask("POST", &format!("{}{path}", self.session), body) {
            Ok(value) => value,
            Err(error) => panic!("{path}: {error}"),
        }
    }

    /// One command of the protocol: its value, or what went wrong.
    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let text = self.exchange(method, path, &body.to_string()).map_err(|it| it.to_string())?;
        let answer: Value = serde_json::from_str(&text).map_err(|it| it.to_string())?;
        let value = answer["value"].clone();
        match value.get("error") {
            Some(error) => Err(format!("{error}: {}", value["message"])),
            None => Ok(value),
        }
    }

    fn exchange(&self, method: &str, path: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(2 * PATIENCE))?;
        let body = if method == "DELETE" { "" } else { body };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.port,
            body.len()
        )?;
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or_default();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser is a child of the driver's and does not end with it by itself.
        let _ = self.exchange("DELETE", &self.session, "");
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
