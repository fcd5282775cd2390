#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `kiln view` keeps of what pages tell it, without a browser: versions over several runs, edits, stars, whose light it is, the queue of renders.

    told_test.py --kiln build/kiln [NAME ...]
"""
import argparse
import base64
import glob
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SECONDS = 60
DAY = 24 * 3600
FLAME = """<flame name="{name}" size="64 36" center="0.2 0.1" scale="12" quality="5" brightness="5" gamma="3" palette_mode="linear">
  <xform weight="2" color="0.1" spherical="0.5" linear="0.3" coefs="0.3 -0.5 0.5 0.3 -0.4 0.1"/>
  <xform weight="1" color="0.9" linear="0.6" coefs="0.5 0.2 -0.2 0.5 0.6 -0.2"/>
  <color index="0" rgb="20 30 60"/><color index="255" rgb="160 220 250"/>
</flame>
"""
given = argparse.Namespace()


def text_of(path):
    with open(path) as file:
        return file.read()


class Run:
    """A `kiln view`, and a page that talks to it (docs/inside/live-inside.md)."""

    def __init__(self, folder, *files):
        own = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder)
        self.program = subprocess.Popen([given.kiln, "view", *files, "--no-browser", "--serve", "127.0.0.1:0"], cwd=folder, env=own,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        host, token = re.match(r"http://([^/]*)/\?token=(.*)", self.program.stdout.readline().strip()).groups()
        name, port = host.split(":")
        self.socket = socket.create_connection((name, int(port)), SECONDS)
        key = base64.b64encode(bytes(16)).decode()
        self.socket.sendall((f"GET /live?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline() != b"\r\n":
            pass
        self.flame = self.hear("flame")["flame"]
        self.number = 0

    def say(self, **message):
        data = json.dumps(message).encode()
        size = struct.pack(">B", 0x80 | len(data)) if len(data) < 126 else struct.pack(">BH", 0x80 | 126, len(data))
        self.socket.sendall(b"\x81" + size + bytes(4) + data)  # the mask is zeros

    def hear(self, *kinds):
        """The next message of one of these types."""
        while True:
            first, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if first == 0x81 and (message := json.loads(data))["type"] in kinds:
                return message

    def edit(self, value):
        """A step; the answer is of type flame, or a message that it is refused."""
        self.number += 1
        self.flame = re.sub(r'gamma="[^"]*"', f'gamma="{value}"', self.flame)
        self.say(type="edit", flame=self.flame, number=self.number)
        return self.hear("flame", "message")

    def versions(self):
        self.say(type="versions")
        return [one[0] for one in self.hear("versions")["all"]]

    def end(self, kill=False):
        if self.program.poll() is None:
            (self.program.kill if kill else self.program.terminate)()
        self.program.wait(SECONDS)
        self.socket.close()
        self.program.stdout.close()


class Told(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="kiln-told-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("rose.flam3", FLAME.format(name="rose"))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def run_of(self, *files):
        run = Run(self.folder, *files)
        self.addCleanup(run.end)
        return run

    def wait(self, what, says):
        end = time.monotonic() + SECONDS
        while not (found := what()):
            self.assertLess(time.monotonic(), end, f"never: {says}")
            time.sleep(0.05)
        return found

    def state(self, pattern):
        return sorted(glob.glob(os.path.join(self.folder, "kiln", pattern)))

    def steps(self):
        return sorted(self.state("versions/*/*/*.flam3"), key=lambda path: path.split("/")[-2:])

    def edits(self, run, *values):
        before = len(self.steps()) or 1  # the first has another before it: as it was opened
        for value in values:
            self.assertEqual(run.edit(value)["type"], "flame")
        self.wait(lambda: len(self.steps()) >= before + len(values), "a file of each step")

    def age(self):
        """All folders of versions as they are two days later, and one beside them that has nothing to say."""
        empty = os.path.join(self.folder, "kiln/versions/gone-00000000")
        os.makedirs(empty, exist_ok=True)
        for path in self.state("versions/*"):
            os.utime(path, (time.time() - 2 * DAY,) * 2)
        return empty

    def swept(self, *files):
        """A run that has looked through the versions of others."""
        empty = self.age()
        run = self.run_of(*files)
        self.wait(lambda: not os.path.exists(empty), "the empty folder is gone")
        time.sleep(0.3)  # those behind it, in no order
        return run


class Versions(Told):
    def test_they_go_along_with_a_file_that_was_saved_last(self):
        run = self.run_of("rose.flam3")
        self.edits(run, 2.1, 2.2, 2.3)
        before = run.versions()
        self.assertEqual(len(before), 4)
        run.say(type="save", name="other.flam3")
        run.hear("saved")
        run.end()
        self.assertEqual(self.swept("other.flam3").versions(), before)
        self.assertEqual(self.swept("other.flam3").versions(), before, "and once more")

    def test_they_go_when_those_before_are_gone(self):
        run = self.run_of("rose.flam3")
        self.edits(run, 2.1)
        run.say(type="save", name="other.flam3")
        run.hear("saved")
        run.end()
        for step in self.steps():
            shutil.rmtree(os.path.dirname(step), ignore_errors=True)
        self.swept("rose.flam3").end()
        self.assertEqual(self.swept("rose.flam3").versions(), [])
        self.wait(lambda: self.state("versions/*-*") == [], "none is left")

    def test_a_copy_has_them_though_another_run_begins(self):
        run = self.run_of("rose.flam3")
        self.edits(run, 2.1, 2.2)
        run.say(type="copy")
        run.flame = run.hear("flame")["flame"]
        self.wait(lambda: len(self.state("versions/*")) == 3, "its folder, beside README.txt")
        self.swept("rose.flam3").end()
        self.assertEqual(len(run.versions()), 3)
        self.edits(run, 2.9)
        self.assertEqual(len(run.versions()), 4)

    def test_a_newest_one_that_is_empty_or_unreadable_loses_no_edit(self):
        for spoils in (lambda path: open(path, "w").close(), lambda path: (os.remove(path), os.mkdir(path))):
            run = self.run_of("rose.flam3")
            self.edits(run, 2.1 + len(self.steps()) / 10)
            run.end(kill=True)
            for kept in self.state("edits/*"):
                shutil.rmtree(kept)
            spoils(self.steps()[-1])
            run = self.run_of("rose.flam3")
            self.assertEqual(run.edit(3.5)["type"], "flame")
            self.assertEqual(run.edit(3.6)["type"], "flame")
            self.wait(lambda: any('gamma="3.6"' in text_of(path) for path in self.state("edits/*/0.flam3")), "the edit is kept")
            run.end(kill=True)

    def test_edits_that_are_taken_have_theirs_though_another_run_edited_the_file(self):
        run = self.run_of("rose.flam3")
        self.edits(run, 2.1, 2.2)
        self.wait(lambda: self.state("edits/*/0.flam3"), "what is in no file")
        self.wait(lambda: self.state("versions/*/about.json"), "what it is of: that is written last")
        run.end(kill=True)
        run = self.run_of("rose.flam3")
        self.edits(run, 2.5)
        run.say(type="lost", take=True)
        taken = run.hear("flame")
        self.assertEqual(taken["index"], 1)
        self.assertGreaterEqual(len(run.versions()), 4)
        run.flame = taken["flame"]
        self.edits(run, 2.6)
        def about():
            return json.loads(text_of(os.path.dirname(os.path.dirname(self.steps()[-1])) + "/about.json"))
        self.wait(lambda: len(about()["edits"]) == 3, "three runs edited it")
        self.assertEqual(about()["file"], os.path.realpath(os.path.join(self.folder, "rose.flam3")))


class Stars(Told):
    def test_they_are_of_the_flame_and_not_of_its_picture(self):
        run = self.run_of("rose.flam3")
        run.say(type="view", width=64, height=36, pixels=64 * 36)
        run.say(type="save", name="rose.png")
        run.hear("saved")
        run.say(type="stars", which=[0], stars=3)
        run.hear("flames")
        stars = self.wait(lambda: self.state("stars"), "the list")[0]
        self.assertIn("/rose.flam3\n", text_of(stars))
        run.say(type="save", name="other.flam3")
        run.hear("saved")
        run.say(type="save", name="other.png")
        run.hear("saved")
        run.say(type="stars", which=[0], stars=5)
        run.hear("flames")
        self.wait(lambda: "5 0 " in text_of(stars), "those of the saved file")
        self.assertIn("5 0 " + os.path.realpath(os.path.join(self.folder, "other.flam3")), text_of(stars))
        self.assertNotIn(".png", text_of(stars))


class Light(Told):
    def ask(self, run, number, **more):
        run.say(**{"type": "light", "flame": run.flame, "x": 32, "y": 18, "radius": 12, "number": number, **more})

    def test_of_a_page_the_newest_question_counts(self):
        run = self.run_of("rose.flam3")
        for number in range(1, 9):
            self.ask(run, number, x=number)
        heard = []
        while not heard or heard[-1] != 8:
            heard.append(run.hear("light")["number"])
        self.assertEqual(heard, sorted(set(heard)))
        self.assertLess(len(heard), 8, "what was overtaken is given up")
        self.ask(run, 9, map=16)
        light = run.hear("light")["light"]
        self.assertEqual((light["x"], light["map_width"], light["map_height"]), (32, 16, 9))
        self.assertEqual({len(one["map"]) for one in light["xforms"]}, {16 * 9})
        self.assertAlmostEqual(sum(one["light"] for one in light["xforms"]), 1, places=6)

    def test_a_page_that_does_not_want_to_know_any_more(self):
        run = self.run_of("rose.flam3")
        self.ask(run, 1, x=0, y=0, radius=0.001, seconds=15)  # would take all of them
        run.say(type="light")
        self.ask(run, 2)
        self.assertEqual(run.hear("light")["number"], 2)

    def test_what_cannot_be_asked(self):
        run = self.run_of("rose.flam3")
        self.ask(run, 1, x=65)
        answer = run.hear("light")
        self.assertEqual(answer["number"], 1)
        self.assertIn("outside of the picture", answer["trouble"])
        for wrong in ({"x": "3"}, {"seconds": 0}, {"map": 4000}, {"flame": "<flame"}, {"radius": -1}):
            self.ask(run, 2, **wrong)
            self.assertEqual(run.hear("light", "message")["type"], "message", wrong)
        self.ask(run, 3, flame=re.sub(' opacity="[^"]*"', "", run.flame).replace("<xform ", "<xform opacity=\"0\" "))
        self.assertEqual(run.hear("light")["light"]["points"], 0)

    def test_two_pages_have_answers_of_their_own(self):
        one, other = self.run_of("rose.flam3"), self.run_of("rose.flam3")
        self.ask(one, 4, x=20)
        self.ask(other, 7, x=40)
        self.assertEqual([run.hear("light")["light"]["x"] for run in (one, other)], [20, 40])
        one.end(kill=True)
        self.ask(other, 8)
        self.assertEqual(other.hear("light")["number"], 8)


class Renders(Told):
    def test_more_than_can_wait_are_refused_as_one(self):
        self.write("many.flam3", "<flames>" + "".join(FLAME.format(name=f"n{i}") for i in range(501)) + "</flames>")
        run = self.run_of("many.flam3")
        run.say(type="render", name="set-.png", which=list(range(501)), quality=1)
        said = run.hear("message", "renders")
        while said["type"] == "renders" and not said["jobs"]:  # of the beginning
            said = run.hear("message", "renders")
        self.assertEqual(said["type"], "message", "some are made")
        self.assertIn("501 renders", said["text"])
        self.assertIn("so 500 fit", said["text"])
        run.say(type="render", name="set-.png", which=[0, 1], quality=1)
        while (count := len(run.hear("renders")["jobs"])) < 2:  # the first may begin before the second is there
            pass
        self.assertEqual(count, 2, "none of those")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("names", nargs="*")
    parser.parse_args(namespace=given)
    given.kiln = os.path.abspath(given.kiln)
    unittest.main(argv=[sys.argv[0], *given.names], verbosity=2)
