#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page that renders by itself, in a browser: web_test.py --page FOLDER --kiln PROGRAM [--pictures FOLDER]

Every golden picture (tests/golden/hashes.tsv), from a file that is chosen on the page to the hash under it; the PNG that it
saves; messages; a phone. Then how much slower it is than one thread of the program."""
import argparse
import functools
import glob
import hashlib
import http.server
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../page"))
from hand import By, start_browser  # noqa: E402

SECONDS = int(os.environ.get("KILN_PAGE_SECONDS", "120"))  # longer waits are a failure
SLOWEST = 4  # times as long as one thread of the program
given = types.SimpleNamespace()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


class Server(http.server.SimpleHTTPRequestHandler):
    missing = None  # what it has lost
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".js": "text/javascript"}

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.missing and self.missing in self.path:
            self.send_error(404)
        else:
            super().do_GET()


def goldens():
    with open(f"{root}/tests/golden/hashes.tsv") as file:
        return [line.split() for line in file if line.strip() and line[0] != "#"]


class WebTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=given.page))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.browser = start_browser()
        cls.browser.set_window_size(1280, 800)
        cls.browser.set_script_timeout(SECONDS)
        cls.folder = tempfile.mkdtemp(prefix="kiln-web-")
        cls.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": cls.folder})

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()
        shutil.rmtree(cls.folder)

    def visit(self):
        self.browser.get(f"http://127.0.0.1:{self.server.server_address[1]}/index.html")
        self.wait(lambda: self.text("hash"), "the sample")

    def wait(self, condition, what):
        end = time.time() + SECONDS
        while not condition():
            self.assertLess(time.time(), end, f"{what}: {self.text('state')} {self.text('messages')}")
            time.sleep(0.05)

    def at(self, name):
        return self.browser.find_element(By.ID, name)

    def text(self, name):
        return self.browser.execute_script("return document.getElementById(arguments[0]).textContent", name)

    def put(self, **values):
        for name, value in values.items():
            self.browser.execute_script("document.getElementById(arguments[0]).value = arguments[1]", name, str(value))

    def open(self, path):
        """Chooses a file; returns when its flame is begun."""
        self.browser.execute_script("document.getElementById('hash').textContent = ''; flame.replaceChildren()")
        self.at("file").send_keys(os.path.abspath(path))
        self.wait(lambda: self.at("flame").find_elements(By.TAG_NAME, "option") or self.text("messages"), path)

    def render(self, width, quality, bits=8):
        """The hash of the picture."""
        self.put(width=width, quality=quality, bits=bits)
        self.browser.execute_script("document.getElementById('hash').textContent = ''")
        self.at("render").click()
        self.wait(lambda: self.text("hash"), f"{width} {quality}")
        return self.text("hash")

    def seconds_to_hash(self, width, quality):
        """From the click on."""
        self.put(width=width, quality=quality, bits=8)
        return self.browser.execute_async_script("""
            const done = arguments[0], begin = performance.now(), hash = document.getElementById('hash');
            hash.textContent = '';
            new MutationObserver(() => hash.textContent && done((performance.now() - begin) / 1000)).observe(hash, {childList: true});
            document.getElementById('render').click();""")

    def screenshot(self, name):
        if given.pictures:
            self.browser.save_screenshot(f"{given.pictures}/{name}.png")

    def module(self):
        return self.browser.execute_script("return document.body.dataset.module")

    def check_goldens(self):
        for flame, width, quality, bits, golden in goldens():
            with self.subTest(flame=flame, module=self.module()):
                self.open(f"{root}/flames/{flame}.flam3")
                self.assertEqual(self.render(width, quality, bits), golden)

    def test_goldens(self):
        self.visit()
        self.screenshot("sample")
        self.check_goldens()

    def test_goldens_without_fused_arithmetic(self):
        self.addCleanup(setattr, Server, "missing", None)
        Server.missing = "kiln_relaxed"
        self.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.visit()
        self.assertEqual(self.module(), "simd128")
        self.check_goldens()

    def test_saved_picture_is_that_of_the_program(self):
        """By the command that the page names, of the second flame of a file."""
        self.visit()
        self.open(f"{root}/flames/tides.flam3")
        self.browser.execute_script("flame.value = 1; flame.onchange()")
        page_hash = self.render(200, 30, 16)
        self.at("save").click()
        name = os.path.join(self.folder, "tides.png")
        self.wait(lambda: os.path.exists(name), "the PNG")
        command = self.text("command").split()
        self.assertEqual(command[:3], ["kiln", "render", "tides.flam3"])
        own = os.path.join(self.folder, "own.png")
        said = subprocess.run([given.kiln, "render", f"{root}/flames/tides.flam3", *command[3:], "--json", "-o", own], check=True,
                              capture_output=True, text=True).stdout
        self.assertEqual(page_hash, json.loads(said)["pictures"][0]["pixel_hash"])
        with open(name, "rb") as saved, open(own, "rb") as made:
            self.assertEqual(hashlib.sha256(saved.read()).hexdigest(), hashlib.sha256(made.read()).hexdigest())

    def test_what_is_wrong_is_said_with_file_and_line(self):
        self.visit()
        path = os.path.join(self.folder, "bad.flame")
        with open(path, "w") as file:
            file.write('<flame name="bad" size="100 100" scale="30">\n<xform weight="1" no_such="1" coefs="1 0 0 1 0 0"/>\n'
                       '<color index="0" rgb="9 9 9"/></flame>\n')
        self.open(path)
        self.wait(lambda: "bad.flame:2: " in self.text("messages"), "the message")
        self.assertIn("no_such", self.text("messages"))
        self.screenshot("message")
        self.drop("picture.png", "no picture")
        self.wait(lambda: "picture.png" in self.text("messages"), "the message")
        with open(f"{root}/flames/coral.flam3") as file:
            self.drop("coral.flam3", file.read())
        self.wait(lambda: "coral.flam3" in self.text("command"), "the flame that was dropped")
        self.assertEqual(self.text("messages"), "")

    def drop(self, name, text):
        self.browser.execute_script("""const dropped = new DataTransfer();
            dropped.items.add(new File([arguments[1]], arguments[0]));
            document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: dropped, bubbles: true, cancelable: true}));""", name, text)

    def test_phone(self):
        self.browser.set_window_size(390, 844)
        self.addCleanup(self.browser.set_window_size, 1280, 800)
        self.visit()
        width = self.browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(width, 0, "the page is wider than the screen")
        self.assertTrue(self.at("save").is_enabled())
        self.screenshot("phone")

    def test_speed(self):
        """Medians of what the page takes, from the click to the hash, and of what one thread of the program takes, by turns."""
        self.visit()
        ratios = []
        for flame in ("conch", "coral", "lanterns", "nautilus", "seahorse", "vertebrae"):
            path, own = f"{root}/flames/{flame}.flam3", os.path.join(self.folder, f"{flame}.png")
            self.open(path)
            self.wait(lambda: self.text("hash"), flame)
            page, program = [], []
            for quality in (300, 301, 302):  # the page keeps the points of the picture before
                page.append(self.seconds_to_hash(640, quality))
                said = subprocess.run([given.kiln, "render", path, "--width", "640", "--quality", str(quality), "--threads", "1", "--json",
                                       "-o", own], capture_output=True, text=True, check=True, env={**os.environ, "KILN_ISA": "v3"}).stdout
                program.append(json.loads(said)["pictures"][0]["seconds"])
            took, own_took = statistics.median(page), statistics.median(program)
            ratios.append(took / own_took)
            print(f"{flame}: page {took:.2f} s, program {own_took:.2f} s, {ratios[-1]:.2f} times as long", flush=True)
        print(f"median: {statistics.median(ratios):.2f} times as long")
        if self.module() == "relaxed":
            self.assertLess(statistics.median(ratios), SLOWEST)
        else:
            print("skipped: this browser or processor has no fused multiply-add")


def tell_size():
    packed = subprocess.run(f"tar -C '{given.page}' -c . | xz -9 | wc -c", shell=True, capture_output=True, text=True, check=True).stdout
    files = glob.glob(f"{given.page}/*")
    print(f"{len(files)} files, {int(packed) / 1e6:.2f} MB packed by xz")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    parser.parse_args(namespace=given)
    given.kiln = os.path.abspath(given.kiln)
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"skipped: the page in a browser ({program} is not installed)")
            sys.exit(77)
    if given.pictures:
        os.makedirs(given.pictures, exist_ok=True)
    tell_size()
    unittest.main(argv=[sys.argv[0], *given.names], verbosity=2)
