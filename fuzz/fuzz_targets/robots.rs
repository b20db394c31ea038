//! Any bytes are a robots.txt, and it says something of every path.

#![no_main]

use fetch::Standing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &[u8])| {
    let (path, bytes) = input;
    let standing = Standing::of(200, bytes, "strabo");
    let verdict = standing.verdict(path);
    verdict.ground.to_string();
    assert!(standing.allows("/robots.txt"));
    let robots = standing.robots().expect("it was told");
    let stored = serde_json::to_string(robots).expect("it can be stored");
    let restored: fetch::Robots = serde_json::from_str(&stored).expect("it can be read");
    assert_eq!(&restored, robots);
});
