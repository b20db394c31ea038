"""Asks a Strabo server with clients that others wrote: clients.py http://127.0.0.1:8080"""

import csv
import io
import json
import logging
import sys
import urllib.parse
import urllib.request
from importlib.metadata import version

import feedparser
from fastkml import kml
from geojson_validator import validate_geometries, validate_structure
from geopy.geocoders import Nominatim, Photon
from loguru import logger
from owslib.ogcapi.features import Features
from owslib.ogcapi.records import Records
from owslib.opensearch import OpenSearch

BASE = sys.argv[1].rstrip("/")
DOMAIN = BASE.split("://")[1]
CHECKS = []

# The validator and OWSLib tell all they do.
logger.remove()
logging.disable(logging.WARNING)


def check(client):
    """Registers a check by the package that it tries."""
    return lambda function: CHECKS.append((client, function)) or function


def fetch(path, **query):
    with urllib.request.urlopen(f"{BASE}{path}?{urllib.parse.urlencode(query)}", timeout=30) as answer:
        return answer.read()


def near(found, lat, lon):
    assert found is not None, "nothing was found"
    assert abs(found.latitude - lat) < 0.2 and abs(found.longitude - lon) < 0.2, found


def is_valid(value):
    structure = validate_structure(value)
    assert not structure, structure
    geometries = validate_geometries(value)
    assert not geometries["invalid"], geometries


@check("geopy")
def photon_finds_a_city():
    geocoder = Photon(domain=DOMAIN, scheme="http")
    near(geocoder.geocode("Helsinki"), 60.17, 24.94)
    assert len(geocoder.geocode("Oldenburg", exactly_one=False, limit=3)) == 3
    near(geocoder.geocode("Springfield", location_bias=(42.1, -72.6)), 42.1, -72.6)


@check("geopy")
def photon_tells_what_is_at_a_point():
    found = Photon(domain=DOMAIN, scheme="http").reverse("55.9533, -3.1883")
    near(found, 55.95, -3.19)
    assert "Scotland" in found.address, found.address


@check("geopy")
def nominatim_finds_a_city_behind_a_path():
    geocoder = Nominatim(domain=f"{DOMAIN}/nominatim", scheme="http", user_agent="strabo-clients")
    found = geocoder.geocode("Paris, Texas", addressdetails=True)
    near(found, 33.66, -95.55)
    assert found.raw["address"]["country_code"] == "us", found.raw
    near(geocoder.geocode({"city": "Osaka", "country": "Japan"}), 34.69, 135.50)
    near(geocoder.geocode("Paris", country_codes="us"), 33.66, -95.55)
    shape = geocoder.geocode("Finland", geometry="geojson").raw["geojson"]
    is_valid({"type": "Feature", "geometry": shape, "properties": {}})
    assert geocoder.geocode("Xyzzyqwop") is None


@check("geopy")
def nominatim_tells_what_is_at_a_point():
    geocoder = Nominatim(domain=f"{DOMAIN}/nominatim", scheme="http", user_agent="strabo-clients")
    found = geocoder.reverse((60.1699, 24.9384), zoom=10)
    assert found.raw["address"]["city"] == "Helsinki", found.raw
    assert geocoder.reverse((-40, -120)) is None


@check("feedparser")
def a_feed_has_points_and_can_be_walked():
    address, seen = f"{BASE}/search.atom?q=museum&limit=7", []
    while address:
        feed = feedparser.parse(address)
        assert not feed.bozo, feed.bozo_exception
        seen += feed.entries
        following = [it.href for it in feed.feed.links if it.rel == "next"]
        address = following[0] if following else None
    assert len(seen) == int(feed.feed.opensearch_totalresults) > 7, len(seen)
    assert len({it.id for it in seen}) == len(seen)
    placed = [it for it in seen if "where" in it]
    assert placed and all(it.where["type"] == "Point" for it in placed)


@check("OWSLib")
def opensearch_fills_in_the_templates():
    service = OpenSearch(f"{BASE}/opensearch.xml")
    assert service.description.shortname == "Strabo"
    found = service.search("application/geo+json", q="museum", bbox="20,55,30,65")
    is_valid(found)
    assert found["totalResults"] >= 1 and all(20 <= it["geometry"]["coordinates"][0] <= 30 for it in found["features"])
    found = service.search("application/geo+json", q="museum", lat="60.17", lon="24.94", radius="30000")
    assert found["totalResults"] >= 1
    dated = service.search("application/geo+json", q="museum", start="2018-01-01T00:00:00Z", end="2019-12-31T00:00:00Z")
    years = {it["properties"]["published"][:4] for it in dated["features"]}
    assert years and years <= {"2018", "2019"}, years
    named = service.search("application/geo+json", q="museum", name="Edinburgh")
    assert named["totalResults"] >= 1
    assert service.search("application/atom+xml", q="museum")


@check("OWSLib")
def records_can_be_searched_and_walked():
    service = Records(f"{BASE}/ogc")
    assert service.conformance()["conformsTo"]
    assert service.records() == ["pages"]
    whole = service.collection_items("pages", limit=1000)
    is_valid(whole)
    assert whole["numberMatched"] == whole["numberReturned"] == len(whole["features"]) >= 200
    found = service.collection_items("pages", q="museum", bbox=[20, 55, 30, 65], datetime_="2015-01-01/..", limit=3)
    assert 1 <= found["numberReturned"] <= 3, found
    one = service.collection_item("pages", urllib.parse.quote(whole["features"][0]["id"]))
    assert one["id"] == whole["features"][0]["id"]
    seen, address = [], f"{BASE}/ogc/collections/pages/items?limit=70"
    while address:
        with urllib.request.urlopen(address, timeout=30) as answer:
            part = json.load(answer)
        seen += [it["id"] for it in part["features"]]
        address = next((it["href"] for it in part["links"] if it["rel"] == "next"), None)
    assert len(seen) == len(set(seen)) == whole["numberMatched"]


@check("OWSLib")
def features_are_places():
    service = Features(f"{BASE}/ogc")
    assert service.feature_collections() == ["places"]
    found = service.collection_items("places", q="Helsinki", limit=5)
    is_valid(found)
    assert found["features"][0]["id"] == "gn:658225", found["features"][0]
    inside = service.collection_items("places", bbox=[24, 60, 26, 61], limit=50)
    assert all(24 <= it["geometry"]["coordinates"][0] <= 26 for it in inside["features"])
    is_valid(service.collection_item("places", "gn:660013"))


@check("geojson-validator")
def geojson_is_as_rfc_7946_wants_it():
    is_valid(json.loads(fetch("/search.geojson", q="museum")))
    is_valid(json.loads(fetch("/api/v1/search", q="museum near Helsinki")))
    is_valid(json.loads(fetch("/api", q="berl")))
    is_valid(json.loads(fetch("/nominatim/search", q="Berlin", format="geojson")))
    for key in ["gn:660013", "gn:2017370", "gn:2205218", "gn:6252001", "gn:1861060"]:
        is_valid(json.loads(fetch(f"/api/v1/places/{key}")))


@check("fastkml")
def kml_has_a_placemark_for_each_point():
    document = kml.KML.from_string(fetch("/search.kml", q="museum").decode().split("?>", 1)[1])
    marks = list(list(document.features)[0].features)
    points = json.loads(fetch("/search.geojson", q="museum"))["features"]
    assert len(marks) == sum(1 for it in points if it["geometry"]) > 5
    assert all(it.geometry.geom_type == "Point" for it in marks)


@check("csv of Python")
def a_table_is_read_and_holds_no_formula():
    rows = list(csv.DictReader(io.StringIO(fetch("/search.csv", q="after:2000").decode(), newline="")))
    assert len(rows) > 100
    assert any(it["title"] == "'=SUM(1,2)" for it in rows)
    assert any(it["title"] == 'A "quoted", title' for it in rows)


def main():
    failed = 0
    for client, function in CHECKS:
        name = function.__name__.replace("_", " ")
        try:
            function()
            outcome = "ok"
        except Exception as error:  # whatever a client throws is what there is to know
            failed += 1
            outcome = f"FAILED: {type(error).__name__}: {error}"
        number = "" if " " in client else f" {version(client)}"
        print(f"{client}{number}: {name}: {outcome}", flush=True)
    sys.exit(1 if failed else 0)


main()
