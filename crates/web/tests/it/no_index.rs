//! A server that has no index yet.

use web::Settings;

use crate::server::{Server, get, index, operators, until};

#[test]
fn a_server_without_an_index_says_so_and_takes_the_first_one_that_appears() {
    let data = tempfile::tempdir().unwrap();
    let settings = Settings { operators: Some(operators(data.path())), ..Settings::default() };
    let server = Server::begin(data.path(), settings);
    let ask = |target: &str| get(server.address, target, "");

    assert_eq!(ask("/").status, 200);
    ask("/").says("strabo index");
    ask("/").says("href=\"/crawls\"");
    let search = ask("/search?q=museum+in+Helsinki");
    assert_eq!(search.status, 503);
    search.says("There is nothing to search yet");
    let told = ask("/api/v1/search?q=museum");
    assert_eq!(told.status, 503);
    assert!(told.json()["error"].as_str().unwrap().contains("there is no index yet"));
    assert_eq!(ask("/readyz").status, 503);
    ask("/healthz").says("ok, no index yet");
    for target in ["/place", "/place/gn:658225/helsinki", "/about", "/help", "/ogc"] {
        assert_eq!(ask(target).status, 200, "{target}");
    }
    assert_eq!((ask("/crawls").status, ask("/page/none").status), (401, 404));
    assert_eq!(ask("/statistics?q=museum").status, 503);
    get(server.address, "/statistics?q=museum", "Accept-Language: de\r\n")
        .says("Es gibt noch keinen Index.");
    assert!(!ask("/api/v1/suggest?q=hels").json()["suggestions"].as_array().unwrap().is_empty());

    index(data.path(), r#"{"id":"one","title":"A museum","text":"Ships.","place":"Helsinki"}"#);
    until("the first generation is taken", || ask("/readyz").status == 200);
    ask("/search?q=museum+in+Helsinki").says("One page found");
}
