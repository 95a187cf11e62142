#!/usr/bin/env python3
"""Prints the items whose supplier is missing in data/suppliers.json. Exit code 1 when there are any."""

import csv
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def missing(items, suppliers):
    return [row for row in items if row["supplier"] not in suppliers]


def main() -> int:
    suppliers = json.loads((DATA / "suppliers.json").read_text(encoding="utf-8"))
    with (DATA / "items.csv").open(encoding="utf-8", newline="") as file:
        rows = missing(csv.DictReader(file), suppliers)
    for row in rows:
        print(f"{row['sku']}: unknown supplier {row['supplier']}")
    # TODO: also check that every supplier still delivers.
    return 1 if rows else 0


if __name__ == "__main__":
    sys.exit(main())
