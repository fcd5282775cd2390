# SPDX-License-Identifier: MIT
"""What the tests of the page that renders by itself have in common: a server of its folder, and a browser, Chromium or Firefox."""
import argparse
import functools
import glob
import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest

try:
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.pointer_input import PointerInput
except ImportError:
    print("skipped: the page in a browser (python3-selenium is not installed)")
    sys.exit(77)
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../page"))
import firefox  # noqa: E402
from hand import By, start_browser  # noqa: E402

SECONDS = int(os.environ.get("KILN_PAGE_SECONDS", "120"))  # longer waits are a failure
given = types.SimpleNamespace()
root = os.path.join(here, "../..")


class Server(http.server.SimpleHTTPRequestHandler):
    missing = None  # what it has lost
    gone = False    # as if the network were not there
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".js": "text/javascript"}

    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")  # what works without a network does so by the page's own cache
        super().end_headers()

    def do_GET(self):
        if self.gone:
            self.close_connection = True
            return self.connection.close()
        if self.missing and self.missing in self.path:
            self.send_error(404)
        else:
            super().do_GET()


def serve(folder):
    """The server of a folder, and its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder))
    server.handle_error = lambda *_: None  # of connections that a test breaks
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}/"


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.place = serve(given.page)
        cls.folder = tempfile.mkdtemp(prefix="kiln-web-")
        if given.browser == "firefox":
            cls.browser = firefox.start_firefox(cls.folder)
        else:
            cls.browser = start_browser()
            cls.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": cls.folder})
            cls.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        cls.browser.set_window_size(1280, 800)
        cls.browser.set_script_timeout(SECONDS)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()
        shutil.rmtree(cls.folder)

    def sized(self, width, height):
        """A page of so many pixels; below 500 wide it is that of a phone."""
        self.width = width
        if given.browser == "firefox":
            server = self.browser.command_executor
            self.browser.set_window_size(max(width, 500), height + 200)
            server.size_of_page(width, height)
            self.addCleanup(self.browser.set_window_size, 1280, 800)
            self.addCleanup(server.size_of_page, 0, 0)
            self.wait(lambda: self.browser.execute_script("return innerWidth") == width, f"{width} pixels")
        else:
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                         {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
            self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})

    def check_layout(self):
        """Nothing is wider than the screen, no control lies on another one, and on a phone each is high enough for a finger."""
        self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), self.width, "it is wider than the screen")
        wrong = self.browser.execute_script("""
            const isPassedUnder = (one) => one && (getComputedStyle(one).position === 'sticky' || isPassedUnder(one.parentElement));
            const shown = [...document.querySelectorAll('button, .button, select, input, a, canvas[tabindex]')]
              .filter((one) => one.type !== 'file' && one.type !== 'radio' && one.getClientRects().length && !isPassedUnder(one))
              .map((one) => ({one, box: one.getBoundingClientRect()}));
            const name = ({one}) => one.id || one.textContent.trim() || one.ariaLabel;
            const wrong = [];
            for (const a of shown) {
              if (a.box.left < 0 || a.box.right > innerWidth + 0.5) wrong.push(`${name(a)} is cut off`);
              if (innerWidth < 500 && /^(BUTTON|SELECT)$/.test(a.one.tagName) && a.box.height < 40) wrong.push(`${name(a)} is low: ${a.box.height}`);
              for (const b of shown)
                if (a.one !== b.one && !a.one.contains(b.one) && !b.one.contains(a.one) &&
                    Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 &&
                    Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 1) wrong.push(`${name(a)} lies on ${name(b)}`);
            }
            return wrong;""")
        self.assertEqual(wrong, [])

    def fingers(self, *ways):
        """Touches; of each finger the places that it goes by, in pixels of the window."""
        actions = ActionBuilder(self.browser)
        for number, way in enumerate(ways):
            finger = PointerInput("touch", f"finger {number}")
            actions.devices.append(finger)
            finger.create_pointer_move(duration=0, x=int(way[0][0]), y=int(way[0][1]))
            finger.create_pointer_down(button=0)
            for x, y in way[1:]:
                finger.create_pointer_move(duration=30, x=int(x), y=int(y))
            finger.create_pointer_up(0)
        actions.devices[:2] = []  # mouse and keys
        actions.perform()

    def at(self, name):
        return self.browser.find_element(By.ID, name)

    def text(self, name):
        return self.browser.execute_script("return document.getElementById(arguments[0])?.textContent ?? ''", name)

    def wait(self, condition, what):
        end = time.time() + SECONDS
        while not condition():
            self.assertLess(time.time(), end, f"{what}: {self.text('state')} {self.text('messages')}")
            time.sleep(0.05)

    def screenshot(self, name):
        if given.pictures:
            self.browser.save_screenshot(f"{given.pictures}/{name}.png")


class PlayCase(PageCase):
    """The page that plays."""
    def address(self, behind=""):
        return f"{self.place}index.html{behind}"

    def visit(self, behind=""):
        self.browser.get("about:blank")
        self.browser.get(self.address(behind))
        self.wait(lambda: self.at("save-flame").is_enabled(), "the flame")

    def put(self, **values):
        for name, value in values.items():
            self.browser.execute_script("document.getElementById(arguments[0]).value = arguments[1]", name, str(value))

    def render(self, width, quality, bits=8):
        """The hash of the picture."""
        self.put(width=width, quality=quality, bits=bits)
        self.browser.execute_script("document.getElementById('hash').textContent = ''")
        self.at("render").click()
        self.wait(lambda: self.text("hash"), f"{width} {quality}")
        return self.text("hash")


def tell_size():
    packed = subprocess.run(f"tar -C '{given.page}' -c . | gzip | wc -c", shell=True, capture_output=True, text=True, check=True).stdout
    files = glob.glob(f"{given.page}/*")
    print(f"{len(files)} files, {int(packed) / 1e6:.2f} MB packed by gzip")


def main(text):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", required=True)
    parser.add_argument("--browser", choices=["chromium", "firefox"], default="chromium")
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    parser.parse_args(namespace=given)
    given.kiln = os.path.abspath(given.kiln)
    missing = [name for name in ("chromium", "chromedriver") if not shutil.which(name)] if given.browser == "chromium" else \
        [] if firefox.program() else ["firefox-esr"]
    if missing:
        print(f"skipped: the page in a browser ({missing[0]} is not installed)")
        sys.exit(77)
    if given.pictures:
        os.makedirs(given.pictures, exist_ok=True)
    tell_size()
    unittest.main(argv=[sys.argv[0], *given.names], verbosity=2)
