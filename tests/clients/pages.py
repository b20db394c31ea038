"""Writes two hundred invented pages about real places, one JSON object a line: pages.py > pages.jsonl."""

import json
import random

CITIES = [
    ("Helsinki", 60.1699, 24.9384), ("Edinburgh", 55.9533, -3.1883), ("Oldenburg", 53.1435, 8.2146),
    ("Lisbon", 38.7169, -9.1399), ("Kraków", 50.0614, 19.9366), ("Osaka", 34.6937, 135.5022),
    ("Suva", -18.1416, 178.4415), ("Quito", -0.2299, -78.5250), ("Nairobi", -1.2833, 36.8167),
    ("Boston", 42.3584, -71.0598),
]
THINGS = ["museum", "bakery", "castle", "harbour", "library", "market", "theatre", "garden", "bridge", "school"]
TITLES = ["=SUM(1,2)", "A \"quoted\", title", "Brot & Butter <b>", "  blanks  ", "Ελληνικά", "東京"]


def page(number):
    dice = random.Random(number)
    city, lat, lon = CITIES[number % len(CITIES)]
    thing = THINGS[(number // len(CITIES)) % len(THINGS)]
    said = {
        "id": f"page {number}" if number % 7 == 0 else f"p{number}",
        "url": f"https://{thing}.example/{number}?a=1&b=2",
        "title": TITLES[number % len(TITLES)] if number % 11 == 0 else f"The {thing} of {city}",
        "text": f"The {thing} of {city} is open every day, & visitors <like> it. Number {number}.",
        "language": "en",
        "topic": [thing],
    }
    if number % 9 != 8:
        said["published"] = f"{2015 + number % 10}-{1 + number % 12:02}-{1 + number % 28:02}"
    if number % 3 == 0:
        said["points"] = [round(lon + dice.uniform(-0.05, 0.05), 5), round(lat + dice.uniform(-0.05, 0.05), 5)]
    elif number % 3 == 1:
        said["place"] = city
    return said


for number in range(200):
    print(json.dumps(page(number), ensure_ascii=False))
