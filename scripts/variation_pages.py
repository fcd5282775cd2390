#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/reference/variations/: a page for each family of variations, from what kiln says of them.

  scripts/variation_pages.py                         the pages
  scripts/variation_pages.py --pictures [NAME...]    and the pictures: those that are named, or that are not there yet
  scripts/variation_pages.py --check                 writes nothing; exit code 1 and a line for each page that is not
                                                     what kiln says now, and for each picture that is missing
--kiln PROGRAM is the program to ask; build/kiln if it is not named. The texts stand beside the structs, in
kernels/variations/*.txt. The pixels of a picture are rounded to few colors, so that a page is soon there.
"""
import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import textwrap
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "reference", "variations")
COLORS = 48
INDEX = """# All variations

Made by `scripts/variation_pages.py` from the texts in `kernels/variations/`; `kiln variations NAME` says the same, and
`kiln variations NAME -o FILE.png` makes the picture. What they are beside formulas, `pre_` and `post_` forms, depth, names of
other programs: [variations.md](../variations.md).

Most pictures show what becomes of a square grid from -1 to 1, upright lines from red to yellow, level ones from violet to
green; some show it in space, from above. Those that do not look at the point draw a shape, and six maps copy it.

In the formulas x, y, z are the point after the affine map, r2 = x^2 + y^2, r is its distance, phi = atan2(y, x),
theta = atan2(x, y); w is the weight, a to f are the numbers of the affine map, U is a random number from 0 to 1. X, Y and Z are
what is added to the sum. A parameter's XML name begins with that of its variation: `julian_power`.

| family | variations |
|---|---|
"""


# ---- pictures ----

def read_png(path):
    """Width, height and rows of (r, g, b) of an 8-bit RGB picture as kiln writes it."""
    data = open(path, "rb").read()
    at, idat = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, bits, color = struct.unpack(">IIBB", body[:10])
            assert (bits, color) == (8, 2), "an 8-bit RGB picture"
        elif kind == b"IDAT":
            idat += body
        at += 12 + length
    raw, stride = zlib.decompress(idat), 3 * width
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, stride, 3)])
        above = line
    return width, height, rows


def paeth(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def few_colors(counts, most):
    """Median cut: a color for each of the counted ones, at most so many different."""
    boxes = [list(counts.items())]
    while len(boxes) < most:
        spread = []
        for box in boxes:
            ranges = [max(c[k] for c, _ in box) - min(c[k] for c, _ in box) for k in range(3)]
            spread.append((max(ranges) * sum(n for _, n in box) ** 0.5, ranges.index(max(ranges))))
        score, axis = max(spread)
        if score == 0:
            break
        box = boxes.pop(spread.index((score, axis)))
        box.sort(key=lambda item: item[0][axis])
        half, sum_n = sum(n for _, n in box) / 2, 0
        for cut in range(1, len(box)):
            sum_n += box[cut - 1][1]
            if sum_n >= half:
                break
        boxes += [box[:cut], box[cut:]]
    chosen = {}
    for box in boxes:
        total = sum(n for _, n in box)
        mean = tuple((sum(c[k] * n for c, n in box) + total // 2) // total for k in range(3))
        chosen.update((c, mean) for c, _ in box)
    return chosen


def write_small_png(path, width, height, rows):
    """With a palette, and nothing in it but the pixels."""
    counts = {}
    for row in rows:
        for color in row:
            counts[color] = counts.get(color, 0) + 1
    chosen = few_colors(counts, COLORS)
    palette = sorted(set(chosen.values()))
    place = {color: i for i, color in enumerate(palette)}
    raw = b"".join(b"\0" + bytes(place[chosen[color]] for color in row) for row in rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                  chunk(b"PLTE", b"".join(bytes(color) for color in palette)) +
                  chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def picture_path(variation):
    return os.path.join(FOLDER, variation["name"] + ".png")


def make_picture(kiln, variation, folder):
    large = os.path.join(folder, "picture.png")
    subprocess.run([kiln, "variations", variation["name"], "--force", "-o", large], check=True, stdout=subprocess.DEVNULL)
    write_small_png(picture_path(variation), *read_png(large))


# ---- pages ----

def number(value):
    return "%.7g" % value


def section(variation):
    lines = ["## " + variation["name"], "", "![%s](%s.png)" % (variation["name"], variation["name"]), "",
             textwrap.fill(variation["idea"], 120), "", "```"] + variation["formula"] + ["```", ""]
    if variation["parameters"]:
        lines += ["| parameter | default | range | meaning |", "|---|---|---|---|"]
        for p in variation["parameters"]:
            name = p["name"]
            if name.startswith(variation["name"] + "_"):
                name = name[len(variation["name"]) + 1:]
            cells = [name, number(p["default"]), p["range"] or "any", p["meaning"].replace("|", "\\|")]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    facts = variation["kind"][0].upper() + variation["kind"][1:] + "."
    if variation["other_names"]:
        facts += " Also called " + ", ".join("`%s`" % name for name in variation["other_names"]) + "."
    source = re.sub(r" \(docs/[^)]*\)", "", variation["source"])
    return lines + [textwrap.fill(facts + " Source: " + source + ".", 120), ""]


def pages(variations, titles):
    """Texts by file name."""
    families = {}
    for variation in variations:
        families.setdefault(variation["family"], []).append(variation)
    index, texts = INDEX, {}
    for family in sorted(families):
        title, text = titles[family]
        links = ", ".join("[%s](%s.md#%s)" % (v["name"], family, v["name"].lower()) for v in families[family])
        index += "| [%s](%s.md) | %s |\n" % (title, family, links)
        lines = ["# " + title, ""] + ([textwrap.fill(text, 120), ""] if text else [])
        lines += ["[All variations](README.md); the code is `kernels/variations/%s.h`." % family, ""]
        for variation in families[family]:
            lines += section(variation)
        texts[family + ".md"] = "\n".join(lines).rstrip() + "\n"
    texts["README.md"] = index
    return texts


def title_of(family):
    """Title and sentences at the head of a family's texts."""
    head = []
    with open(os.path.join(ROOT, "kernels", "variations", family + ".txt")) as lines:
        for line in lines:
            if head and line.strip() and " " not in line.strip():
                break
            head.append(line.strip())
    return head[0][2:], " ".join(line for line in head[1:] if line)


def read_or_nothing(path):
    try:
        with open(path) as page:
            return page.read()
    except FileNotFoundError:
        return None


def check(texts, variations):
    wrong = ["docs/reference/variations/%s is not what kiln says" % name for name, text in sorted(texts.items())
             if read_or_nothing(os.path.join(FOLDER, name)) != text]
    wrong += ["docs/reference/variations/%s is of no family" % name for name in sorted(os.listdir(FOLDER))
              if name.endswith(".md") and name not in texts]
    wrong += ["docs/reference/variations/%s.png is missing" % v["name"] for v in variations if not os.path.exists(picture_path(v))]
    for line in wrong:
        print(line)
    if wrong:
        print("scripts/variation_pages.py --pictures writes them anew")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", default=os.path.join(ROOT, "build", "kiln"))
    parser.add_argument("--pictures", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    said = subprocess.run([options.kiln, "variations", "--json"], check=True, stdout=subprocess.PIPE).stdout
    variations = json.loads(said)
    without = [v["name"] for v in variations if not v["family"]]
    if without:
        sys.exit("no text in kernels/variations/*.txt for " + ", ".join(without))
    texts = pages(variations, {v["family"]: title_of(v["family"]) for v in variations})
    if options.check:
        sys.exit(check(texts, variations))
    os.makedirs(FOLDER, exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(FOLDER, name), "w") as page:
            page.write(text)
    if options.pictures is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        for variation in variations:
            if variation["name"] in options.pictures or not os.path.exists(picture_path(variation)):
                make_picture(options.kiln, variation, folder)


if __name__ == "__main__":
    main()
