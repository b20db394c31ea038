"""How long result pages take: python3 results.py http://127.0.0.1:8080 DOCUMENTS.jsonl [--count 300] [--pid PID]

Makes searches from words of the indexed documents (`title`, `body` or `text`) and from cities of data/ (zstdcat must be
installed): in, near, around and north of a city, in a box, in a circle, by time. Asks one after the other and prints
percentiles of each kind in milliseconds; with --pid also how much time of a processor the server took.

With --connections 200 --seconds 60 so many clients ask at the same time instead, as fast as they are answered.
"""

import argparse
import http.client
import json
import random
import threading
import time
import urllib.parse

from suggestions import percentiles, processor_time, rows, show


def words(path, chance):
    """Common and rare words, as they come in the documents."""
    found = []
    with open(path, encoding="utf-8") as lines:
        for line, _ in zip(lines, range(2000)):
            document = json.loads(line)
            found += document.get("title", "").split() + document.get("body", document.get("text", "")).split()
    return chance.sample(found, min(len(found), 5000))


def searches(chance, count, path):
    """Addresses of result pages, by their kind."""
    cities = [it for it in rows("world-places.tsv.zst") if it["kind"] == "city"]
    known = words(path, chance)
    made = {}
    for kind in ("in", "near", "near by time", "near by distance", "around", "north of", "box", "circle"):
        targets = []
        for _ in range(count):
            city, word = chance.choice(cities), chance.choice(known)
            lat, lon = float(city["lat"]), float(city["lon"])
            asked = {
                "in": {"q": f"{word} in {city['name']}"},
                "near": {"q": f"{word} near {city['name']}"},
                "near by time": {"q": f"{word} near {city['name']}", "sort": "time"},
                "near by distance": {"q": f"{word} near {city['name']}", "sort": "distance"},
                "around": {"q": f"{word} within 50 km of {city['name']}"},
                "north of": {"q": f"{word} north of {city['name']}"},
                "box": {"q": word, "bbox": f"{lon - 1:.4f},{lat - 1:.4f},{lon + 1:.4f},{lat + 1:.4f}"},
                "circle": {"q": word, "circle": f"{lat:.4f},{lon:.4f},50000"},
            }[kind]
            targets.append("/search?" + urllib.parse.urlencode(asked))
        made[kind] = targets
    return made


def ask(connection, target):
    began = time.perf_counter()
    connection.request("GET", target)
    answer = connection.getresponse()
    answer.read()
    return answer.status, 1000 * (time.perf_counter() - began)


def load(place, targets, connections, seconds):
    """Many clients at the same time; prints how many requests there were, how many failed, and how long they took."""
    took, failed, end = [], [], time.monotonic() + seconds

    def client(number):
        chance, connection = random.Random(number), http.client.HTTPConnection(place, timeout=30)
        while time.monotonic() < end:
            target = chance.choice(targets)
            try:
                status, milliseconds = ask(connection, target)
                took.append(milliseconds)
                if status != 200:
                    failed.append((target, status))
            except (OSError, http.client.HTTPException) as error:
                failed.append((target, error))
                connection.close()

    clients = [threading.Thread(target=client, args=(number,)) for number in range(connections)]
    for it in clients:
        it.start()
    for it in clients:
        it.join()
    print(f"{len(took)} answers in {seconds} s, {len(failed)} failed {failed[:3]}\n{'':30}{percentiles(took)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("documents")
    parser.add_argument("--count", type=int, default=300, help="searches of each kind")
    parser.add_argument("--pid", type=int, help="the process of the server, on this machine")
    parser.add_argument("--connections", type=int, help="so many clients at the same time")
    parser.add_argument("--seconds", type=int, default=60, help="how long they ask")
    arguments = parser.parse_args()
    made = searches(random.Random(7), arguments.count, arguments.documents)
    place = urllib.parse.urlsplit(arguments.server).netloc
    print(f"{'':30}{'p50':>8}{'p90':>8}{'p99':>8}{'most':>8}  ms")
    if arguments.connections:
        load(place, sum(made.values(), []), arguments.connections, arguments.seconds)
        return
    connection = http.client.HTTPConnection(place, timeout=30)
    everything, all_ran = [], []
    for kind, targets in made.items():
        took, ran = [], []
        for target in targets:
            ran_before = processor_time(arguments.pid) if arguments.pid else 0
            status, milliseconds = ask(connection, target)
            assert status == 200, (target, status)
            took.append(milliseconds)
            ran.append(processor_time(arguments.pid) - ran_before if arguments.pid else 0)
        show(kind, took, ran)
        everything += took
        all_ran += ran
    show("all", everything, all_ran)


if __name__ == "__main__":
    main()
