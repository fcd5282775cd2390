#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bench/before_after by programs that only say how long they took."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "bench/before_after"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("before_after", str(SCRIPT))
before_after = importlib.util.module_from_spec(importlib.util.spec_from_loader("before_after", loader))
loader.exec_module(before_after)


class Arithmetic(unittest.TestCase):
    def test_a_ratio_is_above_1_where_it_got_faster(self):
        self.assertEqual(before_after.ratio_of("less", [2, 2, 2], [1, 1, 1]), 2)
        self.assertEqual(before_after.ratio_of("more", [2, 2, 2], [1, 1, 1]), 0.5)

    def test_a_ratio_is_the_median_of_those_of_the_pairs(self):
        # somebody else used the machine: for both in one pair, for one alone in another
        self.assertEqual(before_after.ratio_of("less", [1, 9, 1], [1, 9, 50]), 1)

    def test_a_row_below_the_least_is_bad_and_one_at_it_is_not(self):
        def row(before, now):
            return before_after.rows_of(before_after.Case("still", "x", None), {("s", "less"): ([before], [now])}, ["", ""])[0]

        self.assertTrue(before_after.is_bad(row(0.949, 1), 0.95))
        self.assertFalse(before_after.is_bad(row(0.95, 1), 0.95))
        self.assertFalse(before_after.is_bad(row(1, 0.5), 0.95))

    def test_what_this_build_alone_lacks_is_bad(self):
        def row(*lacks):
            return before_after.rows_of(before_after.Case("film", "x", None), {}, lacks)[0]

        self.assertTrue(before_after.is_bad(row("", "no such option"), 0.95))
        self.assertFalse(before_after.is_bad(row("no such option", ""), 0.95))
        self.assertFalse(before_after.is_bad(row("no such option", "no such option"), 0.95))


class Runs(unittest.TestCase):
    """Both play 1 M samples; the seconds of the game are their own."""

    def program(self, name, game_s, knows_clean=True):
        path = self.folder / name
        answer = json.dumps({"pictures": [{"samples": 1000000, "iterate_s": game_s}]})
        refusal = "" if knows_clean else 'case "$*" in *--clean*) echo "kiln: no --clean" >&2; exit 2;; esac\n'
        path.write_text(f"#!/bin/sh\n[ $1 = devices ] && echo [] && exit\n{refusal}echo '{answer}'\n")
        path.chmod(0o755)
        return path

    def compared(self, before, now, only):
        table = self.folder / "table.json"
        done = subprocess.run([sys.executable, SCRIPT, "--before", before, "--now", now, "--rows", "still", "--only", only,
                               "--pairs", "1", "--json", table], capture_output=True, text=True)
        return done, json.loads(table.read_text())

    def game_of(self, rows):
        return next(row for row in rows if row["unit"] == "M samples/s")

    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.kept.name)

    def tearDown(self):
        self.kept.cleanup()

    def test_ends_with_1_where_a_row_is_below(self):
        done, rows = self.compared(self.program("a", 0.1), self.program("b", 0.11), "conch")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertAlmostEqual(self.game_of(rows)["ratio"], 0.1 / 0.11)
        self.assertEqual(self.game_of(rows)["pairs"], 3)  # it was asked again
        self.assertIn("**0.91**", done.stdout)
        done, rows = self.compared(self.program("a", 0.11), self.program("b", 0.1), "conch")
        self.assertAlmostEqual(self.game_of(rows)["ratio"], 1.1)
        self.assertNotIn("M samples/s", " ".join(line for line in done.stdout.splitlines() if "**" in line))

    def test_says_what_the_older_one_lacks_and_goes_on(self):
        old, new = self.program("a", 0.1, knows_clean=False), self.program("b", 0.1)
        done, rows = self.compared(old, new, "coral cleaned")
        self.assertEqual(rows[0]["lacks"], {"before": "render: kiln: no --clean"})
        self.assertIn("before cannot: render: kiln: no --clean", done.stdout)
        self.assertNotIn("lost", done.stdout)
        done, rows = self.compared(new, old, "coral cleaned")
        self.assertIn("**lost**", done.stdout)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
