#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/reference/options.md: every option of every command, from what kiln's help says.

  scripts/option_page.py           the page
  scripts/option_page.py --check   writes nothing; exit code 1 and the first line that is not what kiln says now
--kiln PROGRAM is the program to ask; build/kiln if it is not named. An option of several commands that is the same in
all of them stands once, below the heading of the first.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "reference", "options.md")
HEAD = """# All options

Made by `scripts/option_page.py` of what `kiln help COMMAND` says. What they mean together, and why they are as they are, is in
[the command line](cli.md); [tasks](../use/tasks.md) show them at work.

"""


def entries_of(help_text):
    """Heading, label and text of each entry of a help."""
    heading, found = "", []
    for line in help_text.splitlines():
        if re.match(r"\S.*:$", line):
            heading = line[:-1]
        elif heading == "Examples" or not line.startswith("  "):
            continue
        elif line[2] != " ":
            label, _, text = line.strip().partition("  ")
            found.append([heading, label, text.strip()])
        elif found:
            found[-1][2] = (found[-1][2] + " " + line.strip()).strip()
    return found


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def code(label):
    return "`" + label.replace("|", "\\|") + "`"


def page(kiln):
    def ask(*words):
        return subprocess.run([kiln, "help", *words], check=True, capture_output=True, text=True).stdout

    commands = [label for heading, label, _ in entries_of(ask()) if heading == "Commands" and not label.startswith("help")]
    rows, home = {}, {}  # heading -> {(label, text): commands}; the heading where an option stands
    for command in commands:
        for heading, label, text in entries_of(ask(command)):
            if not label.startswith("-"):
                continue
            heading = home.setdefault((label, text), heading)
            rows.setdefault(heading, {}).setdefault((label, text), []).append(command)
    lines = []
    for heading, options in rows.items():
        lines += [f"## {heading}", "", "| | | of |", "|---|---|---|"]
        lines += [f"| {code(label)} | {cell(text)} | {', '.join(of)} |" for (label, text), of in options.items()]
        lines.append("")
    return HEAD + "\n".join(lines).rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", default=os.path.join(ROOT, "build", "kiln"))
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = page(args.kiln)
    if not args.check:
        with open(PAGE, "w") as file:
            file.write(text)
        return 0
    there = open(PAGE).read().splitlines()
    for number, (says, is_there) in enumerate(zip(text.splitlines() + [""], there + [""]), 1):
        if says != is_there:
            print(f"docs/reference/options.md:{number}: is\n  {is_there}\nbut kiln says\n  {says}\nscripts/option_page.py writes it anew")
            return 1
    print(f"docs/reference/options.md is what kiln says: {text.count('| `-')} options")
    return 0 if len(there) == len(text.splitlines()) else 1


if __name__ == "__main__":
    sys.exit(main())
