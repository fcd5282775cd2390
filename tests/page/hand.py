# SPDX-License-Identifier: MIT
"""What the tests of the page have in common: kiln view in a folder of its own, a browser, and a hand on mouse and keys."""
import base64
import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import types
import unittest
import xml.etree.ElementTree as ET

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: the page in a browser (python3-selenium is not installed)")
    sys.exit(77)

given = types.SimpleNamespace()  # kiln, view (a command), pictures: from the command line
SECONDS = int(os.environ.get("KILN_PAGE_SECONDS", "60"))  # longer waits are a failure

FLAME = """<flame name="{name}" size="320 180" center="0.2 0.1" scale="60" quality="20" brightness="5" gamma="3"
  estimator_radius="5" background="0 0 0" palette_mode="linear">
  <xform weight="2" color="0.1" color_speed="0.4" julian="0.8" julian_power="3" julian_dist="-0.7"
    coefs="0.3 -0.5 0.5 0.3 -0.4 0.1"/>
  <xform weight="1" color="0.9" color_speed="0.5" spherical="0.3" linear="0.6" coefs="0.5 0.2 -0.2 0.5 0.6 -0.2"/>
  <xform weight="0.5" color="0.5" color_speed="0.5" bubble="0.7" coefs="0.8 0 0 0.8 -0.5 0.6"/>
  <color index="0" rgb="20 30 60"/><color index="128" rgb="240 160 60"/><color index="255" rgb="160 220 250"/>
</flame>
"""

PASTE = """const data = new DataTransfer();
data.setData('text/plain', arguments[0]);
document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));"""

# Presses of the mouse, a finger, and of keys: without Shift, Ctrl and the like, and without letters that are typed into a field.
COUNTED = """window.presses = {mouse: 0, keys: 0};
if (!window.isCounting) {
  window.isCounting = true;
  addEventListener('pointerdown', event => window.presses.mouse += event.isTrusted, true);
  addEventListener('keydown', ({key, ctrlKey, altKey, target, isTrusted}) => {
    const isTyped = key.length === 1 && !ctrlKey && !altKey && target.matches('input[type=text]');
    window.presses.keys += isTrusted && !isTyped && !['Shift', 'Control', 'Alt', 'Meta'].includes(key);
  }, true);
}"""

PIXELS = """const canvas = document.getElementById('picture');
const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let text = '';
for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
return [canvas.width, canvas.height, btoa(text)];"""


def start_browser(*flags):
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class View:
    """kiln view in a folder of its own."""

    def __init__(self, flames, options):
        self.folder = tempfile.mkdtemp(prefix="kiln-page-")
        for i, text in enumerate(flames):
            with open(os.path.join(self.folder, f"in{i}.flam3"), "w") as file:
                file.write(text)
        self.words = given.view + [f"in{i}.flam3" for i in range(len(flames))] + [*options, "--no-browser", "--serve"]
        for _ in range(5):  # another program may take it meanwhile
            self.start(f"127.0.0.1:{free_port()}")  # a known one: its token is kept
            if self.address:
                break

    def start(self, where):
        own = dict(os.environ, XDG_RUNTIME_DIR=self.folder, XDG_STATE_HOME=self.folder)  # where it keeps token and edits
        with open(self.path("err"), "w") as said:
            self.process = subprocess.Popen([*self.words, where], cwd=self.folder, stdout=subprocess.PIPE, stderr=said, text=True,
                                            env=own)
        self.address = self.process.stdout.readline().strip()

    def die(self):
        self.process.kill()
        self.process.wait(SECONDS)
        self.process.stdout.close()

    def start_again(self):
        """At the address where it was."""
        self.start(self.address.split("/")[2])

    def path(self, name):
        return os.path.join(self.folder, name)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(SECONDS)
        self.process.stdout.close()
        shutil.rmtree(self.folder)


class PageTest(unittest.TestCase):
    flames = [FLAME.format(name="rose")]
    options = []
    palettes = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../flames/palettes.xml")
    size = (1280, 720)
    touch = False

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.view = View(self.flames, self.options)
        self.addCleanup(self.view.close)
        width, height = self.size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=self.touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=self.touch)
        self.open()

    def tearDown(self):
        self.keep_picture(self.id().split(".")[-1])
        errors = [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE" and "favicon.ico" not in entry["message"]]  # asked for by the browser itself
        self.assertEqual(errors, [], "the browser's console")

    # ---- what the tests say ----

    def open(self):
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get(self.view.address)
        self.settled()

    def cdp(self, command, **arguments):
        return self.browser.execute_cdp_cmd(command, arguments)

    def forget_console(self):
        """What the browser says of a program that is not there is no fault of the page."""
        self.browser.get_log("browser")

    def keep_picture(self, name):
        if given.pictures:
            self.browser.save_screenshot(os.path.join(given.pictures, name + ".png"))

    def one(self, selector):
        return self.browser.find_element(By.XPATH if selector.startswith("//") else By.CSS_SELECTOR, selector)

    def many(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, what, says):
        end = time.monotonic() + SECONDS
        while not (found := what()):
            self.assertLess(time.monotonic(), end, f"never: {says}")
            time.sleep(0.02)
        return found

    def read(self, selector, name):
        """An attribute of all that are there, read at once: an edit may put others in their place at any time."""
        return self.browser.execute_script("return [...document.querySelectorAll(arguments[0])]"
                                           ".map(element => element.getAttribute(arguments[1]))", selector, name)

    def hash(self):
        return self.read("#hash", "data-hash")[0]

    def settled(self, other_than=None):
        """The hash of the finished picture; `other_than`: of one that was there before."""
        return self.wait(lambda: (now := self.hash()) and now != other_than and now, "a finished picture")

    def pixel_hash(self):
        width, height, text = self.browser.execute_script(PIXELS)
        head = b"".join(number.to_bytes(4, "big") for number in (width, height, 8))
        return hashlib.sha256(head + base64.b64decode(text)).hexdigest()

    def kept_files(self):
        """Of edits that are in no file."""
        found = []
        for folder, _, files in os.walk(self.view.path("kiln/edits")):
            found += [os.path.join(folder, name) for name in files if name.endswith(".flam3")]
        return found

    def die_and_start_anew(self):
        """As below, after edits."""
        self.new_tab_of_another_run()
        self.wait(lambda: self.one("#offer").is_displayed(), "the offer")

    def new_tab_of_another_run(self):
        """The program is killed and started again; a tab that remembers nothing comes to the new one."""
        self.browser.get("about:blank")
        self.view.die()
        self.view.start_again()
        self.browser.switch_to.new_window("tab")
        old, new = self.browser.window_handles[0], self.browser.window_handles[-1]
        self.browser.switch_to.window(old)
        self.browser.close()
        self.browser.switch_to.window(new)
        self.browser.get(self.view.address)

    def count_presses(self):
        """From now on."""
        self.browser.execute_script(COUNTED)

    def presses(self):
        """Of the mouse, and of keys."""
        return self.browser.execute_script("return [window.presses.mouse, window.presses.keys]")

    def assert_presses(self, most, task=""):
        count = sum(self.presses())
        print(f"\n{task or self.id().split('.')[-1]}: {count} presses")
        self.assertLessEqual(count, most, task)

    def field(self, name):
        return self.one(f'[data-field="{name}"]')

    def value(self, name):
        return float(self.read(f'[data-field="{name}"]', "aria-valuenow")[0])

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def chord(self, *keys):
        actions = ActionChains(self.browser)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions.key_up(key)
        actions.perform()

    def drag(self, element, dx, dy, steps=8):
        actions = ActionChains(self.browser, duration=10).move_to_element(element).click_and_hold()
        for i in range(1, steps + 1):
            actions.move_by_offset(dx * i // steps - dx * (i - 1) // steps, dy * i // steps - dy * (i - 1) // steps)
        actions.release().perform()

    def click(self, does):
        self.one(f"[data-does={does}]").click()

    def chosen(self):
        """Numbers of the chips that are chosen."""
        return [i for i, pressed in enumerate(self.read(".chip", "aria-pressed")) if pressed == "true"]

    def type_into(self, name, *keys):
        self.field(name).click()
        self.keys(*keys)

    def save(self, name):
        self.keys(Keys.ESCAPE, "s")
        self.keys(name, Keys.ENTER)  # over the name that is proposed, which is selected
        path = self.view.path(name + ".flam3")
        self.wait(lambda: os.path.exists(path), f"{name}.flam3")
        return path

    def rendered_hash(self, path):
        answer = subprocess.run([given.kiln, "render", path, "-o", path + ".png", "--json"], capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)["pictures"][0]["pixel_hash"]

    def assert_saved_is_shown(self, name):
        shown = self.settled()
        self.assertEqual(self.pixel_hash(), shown, "the canvas holds other pixels than its hash says")
        path = self.save(name)
        self.assertEqual(self.rendered_hash(path), shown, "the saved file is another picture")
        return ET.parse(path).getroot()


def xforms_of(tree):
    return tree.findall(".//xform")


def text_of(path):
    with open(path) as file:
        return file.read()


def flame_of(tree):
    return tree if tree.tag == "flame" else tree.find(".//flame")
