"""How long suggestions take: python3 suggestions.py http://127.0.0.1:8080 [--count 3000]

Makes different inputs from the names and houses of data/ (zstdcat must be installed): beginnings, typing errors, house
numbers, long texts. Asks one after the other, as one person types, and prints percentiles of each kind in milliseconds. With
--pid it also tells how much time of a processor the server took, which a busy machine does not change much.
"""

import argparse
import http.client
import pathlib
import random
import subprocess
import time
import urllib.parse

DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "data"
THEMES = ["museums", "bakeries open on sunday", "old maps", "flood protection", "hotels with a view of the harbour"]
RELATIONS = ["in", "near", "within 5 km of", "north of", ""]


def rows(name):
    text = subprocess.run(["zstdcat", DATA / name], capture_output=True, check=True, text=True).stdout
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def mistyped(chance, name):
    at = chance.randrange(1, max(2, len(name)))
    return chance.choice([
        name[:at] + name[at + 1:],
        name[:at] + chance.choice("aeioust") + name[at:],
        name[:at] + chance.choice("aeioust") + name[at + 1:],
        name[:at - 1] + name[at:at + 1] + name[at - 1:at] + name[at + 1:],
    ])


def processor_time(pid):
    """What all threads of a process have run so far, in milliseconds."""
    return sum(int(it.read_text().split()[0]) for it in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e6


def inputs(chance, count):
    cities = [it["name"] for it in rows("world-places.tsv.zst") if it["kind"] == "city"]
    streets = {it["key"]: it["name"] for town in ("helsinki", "monaco") for it in rows(f"osm-{town}-places.tsv.zst")}
    houses = [
        (streets[it["street"]], it["number"], town.capitalize())
        for town in ("helsinki", "monaco") for it in rows(f"osm-{town}-houses.tsv.zst") if it["street"] in streets
    ]
    made = {}
    for kind in ("beginning", "error", "house", "house with error", "foreign house", "text", "text with error"):
        known = set()
        while len(known) < count:
            city = chance.choice(cities)
            street, number, town = chance.choice(houses)
            theme = f"{chance.choice(THEMES)} {chance.choice(RELATIONS)} "
            known.add({
                "beginning": city[:chance.randrange(2, len(city) + 1)],
                "error": mistyped(chance, city),
                "house": chance.choice([f"{street} {number}", f"{street} {number}, {town}", f"{number} {street}"]),
                "house with error": f"{mistyped(chance, street)} {number}, {town}",
                "foreign house": chance.choice([f"{number} Main Street, {city}", f"Hauptstraße {number}, {city}"]),
                "text": theme + city[:chance.randrange(2, len(city) + 1)],
                "text with error": theme + mistyped(chance, city),
            }[kind])
        made[kind] = sorted(known)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--count", type=int, default=500, help="inputs of each kind")
    parser.add_argument("--pid", type=int, help="the process of the server, on this machine")
    arguments = parser.parse_args()
    made = inputs(random.Random(7), arguments.count)
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(arguments.server).netloc, timeout=30)
    print(f"{'':30}{'p50':>8}{'p90':>8}{'p99':>8}{'most':>8}  ms")
    for route, name in (("/api/v1/suggest", "q"), ("/complete", "text")):
        everything, all_ran = [], []
        for kind, texts in made.items():
            took, ran = [], []
            for text in texts:
                target = f"{route}?{urllib.parse.urlencode({name: text})}"
                ran_before = processor_time(arguments.pid) if arguments.pid else 0
                began = time.perf_counter()
                connection.request("GET", target)
                answer = connection.getresponse()
                answer.read()
                took.append(1000 * (time.perf_counter() - began))
                ran.append(processor_time(arguments.pid) - ran_before if arguments.pid else 0)
                assert answer.status == 200, (target, answer.status)
            show(f"{route[-8:]} {kind}", took, ran)
            everything += took
            all_ran += ran
        show(f"{route[-8:]} all", everything, all_ran)


def show(name, took, ran):
    print(f"{name:30}{percentiles(took)}{'   processor ' + percentiles(ran) if any(ran) else ''}")


def percentiles(values):
    values = sorted(values)
    at = lambda part: values[min(len(values) - 1, int(part * len(values)))]
    return f"{at(0.5):8.2f}{at(0.9):8.2f}{at(0.99):8.2f}{values[-1]:8.2f}"


if __name__ == "__main__":
    main()
