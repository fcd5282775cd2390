#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How a flame is made, in a browser: learn_test.py --page FOLDER --kiln PROGRAM [--browser firefox] [--pictures FOLDER]

By mouse and keys: each control of each step changes its picture; what is drawn by the page is where the engine draws it; the flame at
the end is that of kiln render, by its link and by its file."""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PageCase, Server, given, main  # noqa: E402
from hand import ActionChains, By, Keys  # noqa: E402

STEPS = ("points", "maps", "counts", "light", "color", "grain", "yours")


class LearnTest(PageCase):
    def setUp(self):
        self.browser.get("about:blank")
        self.browser.get(f"{self.place}learn.html")

    def go(self, step):
        """Scrolls there and waits for the picture, of which it gives the pixels as a text."""
        self.browser.execute_script("document.getElementById(arguments[0]).scrollIntoView()", step)
        self.seen(step)

    def seen(self, step):
        time.sleep(0.1)
        self.wait(lambda: self.browser.execute_script("""const step = document.getElementById(arguments[0]);
            return !('stale' in step.dataset) && !step.querySelector('.view').hasAttribute('aria-busy');""", step), step)
        return self.browser.execute_script("return document.getElementById(`${arguments[0]}-view`).toDataURL()", step)

    def view(self, step):
        return self.browser.find_element(By.CSS_SELECTOR, f"#{step} .view")

    def press(self, name, *keys):
        self.browser.execute_script("document.getElementById(arguments[0]).focus({preventScroll: true})", name)
        ActionChains(self.browser).send_keys(*keys).perform()

    def check_sliders(self, step, *names):
        """Each changes the picture, and back."""
        self.go(step)
        before = self.seen(step)
        for name in names:
            with self.subTest(step=step, slider=name):
                said = self.at(name).get_attribute("aria-valuetext")
                self.press(name, *[Keys.ARROW_RIGHT] * 4)
                changed = self.seen(step)
                self.assertNotEqual(changed, before)
                self.assertNotEqual(self.at(name).get_attribute("aria-valuetext"), said)
                self.press(name, *[Keys.ARROW_LEFT] * 4)
                self.assertEqual(self.seen(step), before)

    def check_handle(self, step, handle):
        """By the mouse and by keys."""
        before = self.seen(step)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", handle)
        ActionChains(self.browser).move_to_element(handle).click_and_hold().move_by_offset(-30, 20).release().perform()
        dragged = self.seen(step)
        self.assertNotEqual(dragged, before)
        self.browser.execute_script("arguments[0].focus({preventScroll: true})", handle)
        ActionChains(self.browser).send_keys(Keys.ARROW_UP).perform()
        self.assertNotEqual(self.seen(step), dragged)

    def test_points(self):
        self.go("points")
        shown = self.seen("points")
        for button in ("jump", "jumps"):
            self.at(button).click()
            before, shown = shown, self.seen("points")
            self.assertNotEqual(shown, before)
        self.assertEqual(self.text_of_slider("count"), "24")
        self.check_sliders("points", "count", "far")
        self.at("run").click()
        self.wait(lambda: len(self.text_of_slider("count")) > 5, "it runs")
        self.at("run").click()
        self.check_handle("points", self.view("points").find_elements(By.CLASS_NAME, "handle")[0])
        self.screenshot("learn-points")

    def text_of_slider(self, name):
        return self.browser.execute_script("return document.getElementById(arguments[0]).parentElement.querySelector('output').textContent", name)

    def test_maps(self):
        self.check_sliders("maps", "weight-0", "weight-1", "weight-2")
        handles = self.view("maps").find_elements(By.CLASS_NAME, "handle")
        self.assertEqual(len(handles), 9)
        for handle in handles[:3]:
            with self.subTest(handle=handle.accessible_name):
                self.check_handle("maps", handle)
        before = self.seen("maps")
        self.press("bend-0", "b")
        self.wait(lambda: self.browser.execute_script("return document.getElementById('bend-0').value") == "bubble", "the bend")
        bent = self.seen("maps")
        self.assertNotEqual(bent, before)
        self.at("fit").click()
        self.assertNotEqual(self.seen("maps"), bent)
        pictures = set()
        for letter in ("the t", "a fe", "a d", "a s", "a fl"):
            self.press("example", letter)
            pictures.add(self.seen("maps"))
            time.sleep(1)  # letters of a choice are one word until then
        self.assertEqual(len(pictures), 5)
        self.screenshot("learn-maps")

    def test_maps_without_weight_say_so(self):
        self.go("maps")
        for name in ("weight-0", "weight-1", "weight-2"):
            self.press(name, Keys.HOME)
        self.wait(lambda: "No map has a weight" in self.text("maps-said"), "the message")
        self.go("yours")
        self.wait(lambda: "No map has a weight" in self.text("yours-said"), "the message at the end")
        self.go("maps")
        self.press("weight-0", Keys.END)
        self.press("weight-1", Keys.END)
        self.go("yours")
        self.wait(lambda: "Finished" in self.text("yours-said"), "the picture")

    def test_no_weight_is_said_though_a_picture_is_on_its_way(self):
        begin = time.monotonic()
        self.go("yours")
        self.wait(lambda: "Finished" in self.text("yours-said"), "the picture")
        took = time.monotonic() - begin
        set_all = """for (const name of ['weight-0', 'weight-1', 'weight-2']) {
            document.getElementById(name).value = arguments[0];
            document.getElementById(name).dispatchEvent(new Event('input', {bubbles: true}));
          }"""
        self.browser.execute_script(set_all, 3)
        self.wait(lambda: self.view("yours").get_attribute("aria-busy"), "the picture begins")
        self.browser.execute_script(set_all, 0)
        self.wait(lambda: "No map has a weight" in self.text("yours-said"), "the message")
        time.sleep(2 * took + 1)
        self.assertIn("No map has a weight", self.text("yours-said"), "the picture of before came over it")
        self.browser.execute_script(set_all, 2)
        self.wait(lambda: "Finished" in self.text("yours-said"), "the next picture")

    def test_counts_and_light(self):
        self.check_sliders("counts", "buckets", "samples")
        self.screenshot("learn-counts")
        self.check_sliders("light", "log")
        self.press("log", *[Keys.PAGE_UP] * 8)
        self.seen("light")
        self.screenshot("learn-light")

    def test_color_by_the_engine(self):
        self.check_sliders("color", "color-0", "color-1", "color-2", "brightness", "gamma")
        pictures = {self.seen("color")}
        for radio in self.browser.find_elements(By.CSS_SELECTOR, "#palettes label"):
            radio.click()
            pictures.add(self.seen("color"))
        self.assertEqual(len(pictures), 5)
        self.browser.find_element(By.CSS_SELECTOR, "#palettes label").click()
        self.seen("color")
        self.screenshot("learn-color")

    def test_grain_and_its_estimator(self):
        self.check_sliders("grain", "quality", "radius")
        grainy = self.lit("grain")
        self.press("radius", *[Keys.ARROW_RIGHT] * 20)
        self.seen("grain")
        self.assertGreater(self.lit("grain"), 1.5 * grainy, "points are spread")
        self.screenshot("learn-grain")

    def lit(self, step):
        """Pixels with light."""
        return self.browser.execute_script("""const canvas = document.getElementById(`${arguments[0]}-view`);
            const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let lit = 0;
            for (let i = 0; i < data.length; i += 4) lit += data[i] + data[i + 1] + data[i + 2] > 12;
            return lit;""", step)

    def test_the_engine_draws_where_the_page_does(self):
        """The light of step 4 and that of step 5 in gray are of one place: their pixels go together, and not with the other half."""
        self.go("light")
        self.press("log", Keys.END)
        self.seen("light")
        self.go("color")
        self.browser.find_elements(By.CSS_SELECTOR, "#palettes label")[4].click()
        self.seen("color")
        together, mirrored = self.browser.execute_script("""
            const light = (id) => {
              const canvas = document.getElementById(id), sums = [];
              const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
              for (let j = 0; j < 48; ++j) for (let i = 0; i < 64; ++i) {
                let sum = 0;
                for (let y = 0; y < 10; ++y) for (let x = 0; x < 10; ++x) sum += data[4 * ((10 * j + y) * 640 + 10 * i + x)];
                sums.push(sum);
              }
              const order = [...sums].sort((a, b) => a - b);
              return sums.map((sum) => order.indexOf(sum));  // ranks: curves of light differ
            };
            const correlation = (a, b) => {
              const mean = (v) => v.reduce((x, y) => x + y, 0) / v.length, ma = mean(a), mb = mean(b);
              const sum = (f) => a.reduce((x, _, i) => x + f(i), 0);
              return sum((i) => (a[i] - ma) * (b[i] - mb)) / Math.sqrt(sum((i) => (a[i] - ma) ** 2) * sum((i) => (b[i] - mb) ** 2));
            };
            const a = light('light-view'), b = light('color-view');
            return [correlation(a, b), correlation(a, [...b].reverse())];""")
        print(f"the page and the engine: correlation {together:.3f}, upside down {mirrored:.3f}", flush=True)
        self.assertGreater(together, 0.9)
        self.assertLess(mirrored, 0.7)

    def test_the_flame_at_the_end_is_that_of_the_program(self):
        self.go("yours")
        self.wait(lambda: "Finished" in self.text("yours-said"), "the picture")
        self.screenshot("learn-yours")
        link = self.at("open").get_attribute("href")
        self.assertTrue(link.startswith(f"{self.place}index.html#title=learned&f1="), link)
        self.at("keep").click()
        path = os.path.join(self.folder, "learned.flam3")
        self.wait(lambda: os.path.exists(path), "the file")
        for source in (link, path):
            said = subprocess.run([given.kiln, "render", source, "--json", "-o", os.path.join(self.folder, "own.png")], capture_output=True,
                                  text=True, check=True)
            self.assertEqual(json.loads(said.stdout)["pictures"][0]["pixel_hash"], self.text("learn-hash"))
            self.assertNotIn("warning", said.stderr)
        self.at("open").click()
        self.wait(lambda: "learned" in self.text("command"), "the page that plays")

    def test_a_change_is_heard_while_the_last_picture_is_made(self):
        self.go("yours")
        self.go("grain")
        self.press("quality", *[Keys.ARROW_RIGHT] * 30)
        self.seen("grain")
        self.wait(lambda: "19" in self.text("grain-said") or "million" in self.text("grain-said"), "the newest")
        self.assertEqual(self.text("grain-said").split(" points")[0], "4.9 million")

    def test_every_control_has_a_name_and_nothing_is_fetched_elsewhere(self):
        for step in STEPS:
            self.go(step)
        for control in self.browser.find_elements(By.CSS_SELECTOR, "button, input, select, canvas, summary, a"):
            if control.is_displayed():
                self.assertTrue(control.accessible_name.strip(), control.get_attribute("outerHTML"))
        fetched = self.browser.execute_script("return performance.getEntriesByType('resource').map(({name}) => name)")
        self.assertTrue(all(name.startswith((self.place, "data:", "blob:")) for name in fetched), fetched)
        if given.browser == "chromium":
            wrong = [line for line in self.browser.get_log("browser") if line["level"] == "SEVERE"]
            self.assertEqual(wrong, [])

    def test_a_phone_and_a_desk(self):
        for name, width, height in (("phone", 390, 844), ("desk", 1440, 900)):
            with self.subTest(name):
                self.sized(width, height)
                self.setUp()
                for step in STEPS:
                    self.go(step)
                    self.seen(step)
                    self.check_layout()
                    self.screenshot(f"learn-{name}-{step}")

    def test_from_disk_the_first_steps_work_and_the_others_say_what_to_do(self):
        self.browser.get(f"file://{os.path.abspath(given.page)}/learn.html")
        self.check_sliders("points", "count")
        self.check_sliders("counts", "buckets")
        self.go("color")
        self.wait(lambda: "python3 -m http.server" in self.text("color-said"), "the message")
        self.screenshot("learn-disk")

    def test_without_a_network_after_the_first_visit(self):
        self.go("color")
        wanted = self.seen("color")
        self.wait(lambda: self.browser.execute_async_script("""const done = arguments[0];
            caches.keys().then(async (names) => {
                for (const name of names)
                    if ((await (await caches.open(name)).keys()).some(({url}) => url.endsWith('.wasm'))) return done(true);
                done(false);
            });"""), "the module is kept")
        self.addCleanup(setattr, Server, "gone", False)
        Server.gone = True
        self.setUp()
        self.go("color")
        self.assertEqual(self.seen("color"), wanted)


if __name__ == "__main__":
    main(__doc__)
