#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page that renders by itself, in a browser: web_test.py --page FOLDER --kiln PROGRAM [--browser firefox] [--pictures FOLDER]

Every golden picture (tests/golden/hashes.tsv), from a file that is chosen on the page to the hash under it; the PNG that it
saves; messages; a phone; walls, sliders, hands and undo; links there and back, and as QR codes; stopping; without a network, and from
disk. Then how much slower it is than one thread of the program."""
import base64
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PlayCase, Server, given, main, root, serve  # noqa: E402
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin  # noqa: E402
from hand import ActionChains, By, Keys  # noqa: E402

SLOWEST = 4   # times as long as one thread of the program
LATEST = 400  # milliseconds to a slider's picture, where others use the machine as well; wanted are 100 where none does


def goldens():
    with open(f"{root}/tests/golden/hashes.tsv") as file:
        return [line.split() for line in file if line.strip() and line[0] != "#"]


class WebTest(PlayCase):
    def wait_sample(self):
        self.wait(lambda: self.text("hash"), "the sample")

    def open(self, path):
        """Chooses a file; returns when its flame is begun."""
        self.browser.execute_script("document.getElementById('hash').textContent = ''; flame.replaceChildren(); width.value = ''")
        self.at("file").send_keys(os.path.abspath(path))
        self.wait(lambda: self.browser.execute_script("return flame.options.length > 0 && width.value !== ''") or self.text("messages"), path)

    def seconds_to_hash(self, width, quality):
        """From the click on."""
        self.put(width=width, quality=quality, bits=8)
        return self.browser.execute_async_script("""
            const done = arguments[0], begin = performance.now(), hash = document.getElementById('hash');
            hash.textContent = '';
            new MutationObserver(() => hash.textContent && done((performance.now() - begin) / 1000)).observe(hash, {childList: true});
            document.getElementById('render').click();""")

    def module(self):
        return self.browser.execute_script("return document.body.dataset.module")

    def check_goldens(self):
        for flame, width, quality, bits, golden in goldens():
            with self.subTest(flame=flame, module=self.module()):
                self.open(f"{root}/flames/{flame}.flam3")
                self.assertEqual(self.render(width, quality, bits), golden)

    def test_goldens(self):
        self.visit()
        self.wait_sample()
        self.screenshot("sample")
        self.check_goldens()

    def test_goldens_without_fused_arithmetic(self):
        self.addCleanup(setattr, Server, "missing", None)
        Server.missing = "kiln_relaxed"
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

    def play_through(self, name):
        """Random, a flame of it, a slider, Send, by clicks alone; looked at on the way."""
        self.visit()
        self.wait_sample()
        self.check_layout()
        self.screenshot(f"{name}-begin")
        self.at("random").click()
        self.wait_wall()
        self.check_layout()
        self.with_wall = self.browser.execute_script("return document.documentElement.scrollHeight")
        self.tiles()[5].click()
        self.wait(lambda: self.browser.execute_script("return document.title").startswith("random-"), "the flame")
        before = self.browser.execute_script("return document.getElementById('brightness').value")
        bar = self.at("brightness")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", bar)
        ActionChains(self.browser).move_to_element_with_offset(bar, bar.size["width"] // 3, 0).click().perform()
        self.assertNotEqual(self.browser.execute_script("return document.getElementById('brightness').value"), before)
        self.wait_settled()
        self.assertTrue(self.at("save").is_enabled())
        self.assertIn("#title=random-", self.send())
        self.check_layout()
        self.at("show-code").click()
        self.check_layout()
        self.at("show-code").click()
        self.screenshot(name)
        return self.browser.execute_script("const box = picture.getBoundingClientRect(); return [box.width, box.top, box.bottom]")

    def test_phone(self):
        self.sized(390, 844)
        self.play_through("phone")

    def test_desk(self):
        """Where there is room the whole of the page is seen without scrolling."""
        self.sized(1440, 900)
        width, top, bottom = self.play_through("desk")
        self.assertGreater(width, 500)
        self.assertTrue(top > 0 and bottom < 900, (top, bottom))
        self.assertLessEqual(self.with_wall, 900)

    # ---- links ----

    def kiln(self, *words):
        return subprocess.run([given.kiln, *words], check=True, capture_output=True, text=True).stdout.strip()

    def link_of(self, flame):
        return self.kiln("link", f"{root}/flames/{flame}.flam3", "-q")

    def test_link_is_the_flame(self):
        for flame, width, quality, bits, golden in goldens()[:5]:
            with self.subTest(flame=flame):
                self.visit(self.link_of(flame))
                self.assertEqual(self.render(width, quality, bits), golden)
                self.assertTrue(self.text("command").startswith(f"kiln render {flame}.flam3 "), self.text("command"))

    def test_damaged_link_is_refused(self):
        self.browser.get("about:blank")
        self.browser.get(self.address(self.link_of("conch")[:-5]))
        self.wait(lambda: 'link "conch": is damaged' in self.text("messages"), "the message")
        self.browser.execute_script("location.hash = arguments[0]", self.link_of("coral"))
        self.wait(lambda: "coral" in self.text("command") and self.text("messages") == "", "another link, without loading the page")

    def send(self):
        self.at("send").click()
        self.wait(lambda: self.browser.execute_script("return document.getElementById('link').value"), "the link")
        return self.browser.execute_script("return document.getElementById('link').value")

    def test_sent_link_of_a_changed_flame_is_that_of_the_program(self):
        self.visit("#coral")
        before = self.render(160, 5)
        self.at("brightness").send_keys(Keys.ARROW_RIGHT * 5)
        self.wait_settled()
        changed = self.render(160, 5)
        self.assertNotEqual(before, changed)
        link = self.send()
        self.assertTrue(link.startswith(self.address("#title=coral&f1=")), link)
        self.wait(lambda: "Copied" in self.text("sent"), "the clipboard")
        self.assertEqual(self.browser.execute_script("return location.href"), link)
        own = os.path.join(self.folder, "linked.png")
        said = self.kiln("render", link, "--width", "160", "--quality", "5", "--json", "-o", own)
        self.assertEqual(json.loads(said)["pictures"][0]["pixel_hash"], changed)
        # the link of a flame that has changed since is gone, and the next one is in its place
        self.assertTrue(self.at("link-line").is_displayed())
        self.at("brightness").send_keys(Keys.ARROW_LEFT)
        self.wait_settled()
        self.assertFalse(self.at("link-line").is_displayed())
        self.put(link="")
        other = self.send()
        self.assertNotEqual(other, link)
        self.assertEqual(other.count("#"), 1, other)
        self.assertEqual(other.split("#")[0], link.split("#")[0])
        self.visit(link[link.index("#"):])
        self.assertEqual(self.render(160, 5), changed)

    def test_link_comes_though_a_picture_begins_meanwhile(self):
        """As where somebody takes a flame of the wall and sends it at once."""
        self.visit("#sierpinski")
        self.browser.execute_script("send.click(); render.click()")
        self.wait(lambda: self.browser.execute_script("return document.getElementById('link').value"), "the link")

    def test_sent_link_is_read_from_its_code(self):
        if not shutil.which("zbarimg"):
            self.skipTest("zbarimg (Debian: zbar-tools) is not installed")
        self.visit("#conch")
        link = self.send()
        self.assertFalse(self.at("code").is_displayed())
        self.at("show-code").click()
        self.assertTrue(self.at("code").is_displayed())
        self.screenshot("code")
        code = self.browser.execute_script("""const from = document.getElementById('code'), to = document.createElement('canvas');
            to.width = to.height = 4 * from.width;
            const context = to.getContext('2d');
            context.imageSmoothingEnabled = false;
            context.drawImage(from, 0, 0, to.width, to.height);
            return to.toDataURL().split(',')[1];""")
        path = os.path.join(self.folder, "code.png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(code))
        self.assertEqual(subprocess.run(["zbarimg", "-q", "--raw", path], capture_output=True, text=True, check=True).stdout.strip(), link)
        self.at("show-code").click()
        self.assertFalse(self.at("code").is_displayed())

    def test_saved_picture_and_flame_open_again(self):
        self.visit("#heighway")
        page_hash = self.render(120, 4)
        for button, name in (("save", "heighway.png"), ("save-flame", "heighway.flam3")):
            with self.subTest(name=name):
                path = os.path.join(self.folder, name)
                self.at(button).click()
                self.wait(lambda path=path: os.path.exists(path), name)
                self.open(path)
                self.assertEqual(self.render(120, 4), page_hash)

    # ---- play ----

    def wait_settled(self):
        """Until the picture of the newest change is there."""
        time.sleep(0.6)
        self.wait(lambda: self.text("hash") and self.at("picture").get_attribute("aria-busy") == "false" and
                  not self.browser.execute_script("return document.getElementById('hash-line').hidden"), "the picture")

    def small(self):
        """The page with a flame that is made in no time."""
        self.visit("#sierpinski")
        return self.render(96, 3)

    def tiles(self):
        return self.at("wall").find_elements(By.TAG_NAME, "button")

    def wait_wall(self):
        self.wait(lambda: self.at("wall").get_attribute("data-ms"), "the wall")
        return int(self.at("wall").get_attribute("data-ms"))

    def test_walls(self):
        """Random, mutants of the one that is chosen, children of it and of another one; then all the way back."""
        first = self.small()
        self.at("random").click()
        print(f"twelve by chance: {self.wait_wall() / 1000:.1f} s", flush=True)
        self.screenshot("random")
        self.assertEqual(len(self.tiles()), 12)
        names = [tile.get_attribute("aria-label") for tile in self.tiles()]
        self.assertEqual(len(set(names)), 12)
        self.tiles()[4].click()
        self.wait_settled()
        chosen = self.render(96, 3)
        self.assertNotEqual(chosen, first)
        self.assertTrue(self.text("command").startswith("kiln render random-"), self.text("command"))
        self.at("mutate").click()
        print(f"twelve mutants: {self.wait_wall() / 1000:.1f} s", flush=True)
        self.tiles()[0].click()
        self.wait_settled()
        mutant = self.render(96, 3)
        self.assertNotEqual(mutant, chosen)
        self.at("breed").click()
        self.assertEqual(self.at("breed").get_attribute("aria-pressed"), "true")
        self.tiles()[7].click()
        self.wait_wall()
        self.assertEqual(self.at("breed").get_attribute("aria-pressed"), "false")
        self.tiles()[3].click()
        self.wait_settled()
        self.assertNotEqual(self.render(96, 3), mutant)
        for wanted in (mutant, chosen, first):
            self.at("undo").click()
            self.wait_settled()
            self.assertEqual(self.render(96, 3), wanted)
        self.assertFalse(self.at("undo").is_enabled())
        self.at("redo").click()
        self.wait_settled()
        self.assertEqual(self.render(96, 3), chosen)

    def test_sliders_and_colors(self):
        """Each changes the picture, by keys as well, and is one step of undo."""
        first = self.small()
        for slider in ("brightness", "gamma", "hue", "zoom", "turn"):
            with self.subTest(slider=slider):
                bar = self.at(slider)
                ActionChains(self.browser).drag_and_drop_by_offset(bar, 40, 0).perform()
                self.wait_settled()
                self.assertNotEqual(self.render(96, 3), first)
                self.at("undo").click()
                self.wait_settled()
                self.assertEqual(self.render(96, 3), first)
        self.at("palette").click()
        self.wait_settled()
        self.assertNotEqual(self.render(96, 3), first)
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        self.wait_settled()
        self.assertEqual(self.render(96, 3), first)

    def test_each_press_of_a_slider_is_a_step(self):
        first = self.small()
        pictures = [first]
        for _ in range(2):
            self.at("gamma").send_keys(Keys.ARROW_RIGHT)
            self.wait_settled()
            pictures.append(self.render(96, 3))
        self.assertEqual(len(set(pictures)), 3)
        for wanted in (pictures[1], first):
            self.at("undo").click()
            self.wait_settled()
            self.assertEqual(self.render(96, 3), wanted)

    def test_what_is_undone_is_the_file_again(self):
        """The command and the names of what is saved are those of the file where the flame is as that has it, and only there."""
        path = os.path.join(self.folder, "of a file.flam3")
        shutil.copy(f"{root}/flames/sierpinski.flam3", path)
        self.visit("#coral")
        self.open(path)
        self.wait(lambda: "of a file" in self.text("command"), "the file")
        self.at("gamma").send_keys(Keys.ARROW_RIGHT)
        self.wait_settled()
        self.render(96, 3)
        self.assertTrue(self.text("command").startswith("kiln render sierpinski.flam3 "), self.text("command"))
        self.at("undo").click()
        self.wait_settled()
        self.render(96, 3)
        self.assertTrue(self.text("command").startswith("kiln render 'of a file.flam3' "), self.text("command"))

    def test_a_wall_has_no_tile_of_the_one_before(self):
        self.small()
        self.at("random").click()
        self.wait(lambda: sum(tile.is_enabled() for tile in self.tiles()) >= 3, "some of the first wall")
        self.at("mutate").click()
        while not self.at("wall").get_attribute("data-ms"):
            labels = self.browser.execute_script("return [...wall.children].map((tile) => tile.ariaLabel)")
            self.assertFalse([label for label in labels if "random" in label])
            time.sleep(0.02)
        self.assertTrue(all(tile.is_enabled() for tile in self.tiles()))

    def test_hand_on_the_picture(self):
        first = self.small()
        picture = self.at("picture")
        ActionChains(self.browser).drag_and_drop_by_offset(picture, 20, 10).perform()
        self.wait_settled()
        moved = self.render(96, 3)
        self.assertNotEqual(moved, first)
        ActionChains(self.browser).scroll_from_origin(ScrollOrigin.from_element(picture), 0, -200).perform()
        self.wait_settled()
        self.assertNotEqual(self.render(96, 3), moved)
        self.at("undo").click()
        self.wait_settled()
        self.assertEqual(self.render(96, 3), moved)
        picture.send_keys("]", "]", "+", Keys.ARROW_LEFT)
        self.wait_settled()
        self.assertNotEqual(self.render(96, 3), moved)

    def test_two_fingers_turn_and_zoom(self):
        first = self.small()
        box = self.at("picture").rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        steps = range(6)
        self.fingers([(x - 15 - step, y - 2 * step) for step in steps], [(x + 15 + step, y + 2 * step) for step in steps])
        self.wait_settled()
        self.assertGreater(int(self.browser.execute_script("return Number(document.getElementById('turn').value)")), 5)
        self.assertNotEqual(self.render(96, 3), first)

    def test_slider_follows_the_hand(self):
        """Milliseconds from a change to its picture on the canvas, of flames of usual size, while nothing else is made."""
        medians = []
        for flame in ("conch", "coral", "seahorse", "amoeba", "vertebrae"):
            self.visit(f"#{flame}")
            self.wait_sample()
            took, sizes = [], []
            for _ in range(12):
                self.browser.execute_script("delete document.body.dataset.sketchMs")
                self.at("gamma").send_keys(Keys.ARROW_RIGHT)
                self.wait(lambda: self.browser.execute_script("return document.body.dataset.sketchMs"), "the draft")
                took.append(int(self.browser.execute_script("return document.body.dataset.sketchMs")))
                sizes.append(self.browser.execute_script("return picture.width"))
            medians.append(statistics.median(took[4:]))
            print(f"{flame}: a slider's picture after {medians[-1]} ms, the longest {max(took[4:])} ms, {sizes[-1]} pixels wide", flush=True)
        self.assertLess(statistics.median(medians), LATEST)

    def test_from_opening_to_a_link_of_ones_own(self):
        """By three clicks: Random, a flame, Send."""
        begin = time.time()
        self.visit()
        self.at("random").click()
        self.wait(lambda: self.tiles() and all(tile.is_enabled() for tile in self.tiles()), "the wall")
        self.tiles()[0].click()
        self.wait(lambda: self.browser.execute_script("return document.title").startswith("random-"), "the flame")
        self.assertIn("#title=random-", self.send())
        print(f"from opening to a link of one's own: 3 clicks, {time.time() - begin:.1f} s", flush=True)
        self.assertLess(time.time() - begin, 30)

    # ---- manners ----

    def test_numbers_that_are_none_are_named(self):
        self.small()
        for field, value, word in (("width", "0", "Width must be a whole number from 1 to 20000; not 0"),
                                   ("width", "", "Width must be a whole number"), ("width", "10.5", "not 10.5"),
                                   ("quality", "-3", "Quality must be a number from 0.01 to 1000000; not -3")):
            with self.subTest(field=field, value=value):
                self.put(width=96, quality=3)
                self.put(**{field: value})
                self.at("render").click()
                self.assertIn(word, self.text("messages"))
                self.assertEqual(self.at(field).get_attribute("aria-invalid"), "true")
        self.assertTrue(self.render(96, 3))
        self.assertEqual(self.text("messages"), "")

    def test_too_large_says_what_fits_here(self):
        self.small()
        self.put(width=15000, quality=1)
        self.at("render").click()
        self.wait(lambda: "wide here" in self.text("messages"), "the message")
        said = self.text("messages")
        self.assertNotIn("--", said)
        fits = int(said.split("at most about ")[1].split()[0])
        self.assertGreater(fits, 2000)
        self.put(width=fits, quality=0.01)
        self.at("render").click()
        self.wait(lambda: "The points settle" not in self.text("state") or self.text("messages"), "what was said to fit")
        self.assertNotIn("wide here", self.text("messages"))
        self.at("stop").click()

    def test_stop_and_go_on(self):
        self.small()
        self.put(width=640, quality=200000)
        self.at("render").click()
        self.wait(lambda: "to go" in self.text("state"), "progress")
        self.at("stop").click()
        self.wait(lambda: self.text("state").startswith("Stopped at "), "the stop")
        self.assertFalse(self.at("stop").is_enabled())
        said = self.text("state")
        time.sleep(1)
        self.assertEqual(self.text("state"), said)
        self.assertTrue(self.render(96, 3))

    def test_every_control_has_a_name(self):
        self.visit()
        self.at("random").click()
        self.wait_wall()
        for control in self.browser.find_elements(By.CSS_SELECTOR, "button, input, select, canvas[role]"):
            if control.is_displayed() and control.get_attribute("type") != "file":
                self.assertTrue(control.accessible_name.strip(), control.get_attribute("outerHTML"))

    def test_without_a_network_after_the_first_visit(self):
        self.visit("#coral")
        wanted = self.render(96, 3)
        self.wait(lambda: self.browser.execute_async_script(f"""const done = arguments[0];
            caches.keys().then(async (names) => {{
                for (const name of names) if (await (await caches.open(name)).match('kiln_{self.module()}.wasm')) return done(true);
                done(false);
            }});"""), "the module is kept")
        self.addCleanup(setattr, Server, "gone", False)
        Server.gone = True
        self.visit("#coral")
        self.assertEqual(self.render(96, 3), wanted)

    def test_two_pages_of_one_host_keep_their_own_files(self):
        """The caches of a host are one set of names for all of its folders; a newer page forgets the older one of its own place."""
        host = tempfile.mkdtemp(prefix="kiln-host-")
        self.addCleanup(shutil.rmtree, host)
        server, place = serve(host)
        self.addCleanup(server.shutdown)

        def put(folder, digest):
            shutil.copytree(given.page, f"{host}/{folder}", dirs_exist_ok=True)
            with open(f"{host}/{folder}/files.js") as file:
                text = file.read()
            with open(f"{host}/{folder}/files.js", "w") as file:
                file.write(text.replace(text.split("'")[1], digest))

        def visit(folder):
            self.browser.get("about:blank")
            self.browser.get(f"{place}{folder}/index.html#sierpinski")
            self.wait(lambda: self.at("save-flame").is_enabled(), "the flame")

        def kept():
            return self.browser.execute_async_script("""const done = arguments[0];
                caches.keys().then(async (names) => {
                  const found = [];
                  for (const name of names) if ((await (await caches.open(name)).keys()).some(({url}) => url.endsWith('.wasm'))) found.push(name);
                  done(found.sort());
                });""")
        put("one", "aaaa")
        put("one/two", "bbbb")
        wanted = [f"kiln {place}one/ aaaa", f"kiln {place}one/two/ bbbb"]
        for folder in ("one", "one/two", "one"):
            visit(folder)
            self.wait(lambda folder=folder: any(f"{folder}/ " in name for name in kept()), f"{folder} is kept")
        self.assertEqual(kept(), wanted)
        put("one", "cccc")
        script = "const done = arguments[0]; "
        self.browser.execute_async_script(script + "Promise.all(['kiln-0123', 'other'].map(name => caches.open(name))).then(() => done());")
        visit("one")
        self.wait(lambda: kept() == [f"kiln {place}one/ cccc", wanted[1]], f"the newer one is kept in place of the older: {kept()}")
        names = self.browser.execute_async_script(script + "caches.keys().then(done);")
        self.assertNotIn("kiln-0123", names, "as they were called once")
        self.assertIn("other", names, "of somebody else")
        self.addCleanup(setattr, Server, "gone", False)
        Server.gone = True
        for folder in ("one", "one/two"):
            visit(folder)

    def test_from_disk_says_what_to_do(self):
        self.browser.get(f"file://{os.path.abspath(given.page)}/index.html")
        self.wait(lambda: "python3 -m http.server" in self.text("messages"), "the message")
        self.assertFalse(self.at("render").is_enabled())
        self.screenshot("disk")

    def test_speed(self):
        """Medians of what the page takes, from the click to the hash, and of what one thread of the program takes, by turns."""
        isa = {**os.environ, "KILN_ISA": "v3"}
        if subprocess.run([given.kiln, "devices"], env=isa, capture_output=True).returncode:
            self.skipTest("this program has no code for x86-64-v3 apart (KILN_CPU_ISAS)")
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
                                       "-o", own], capture_output=True, text=True, check=True, env=isa).stdout
                program.append(json.loads(said)["pictures"][0]["seconds"])
            took, own_took = statistics.median(page), statistics.median(program)
            ratios.append(took / own_took)
            print(f"{flame}: page {took:.2f} s, program {own_took:.2f} s, {ratios[-1]:.2f} times as long", flush=True)
        print(f"median: {statistics.median(ratios):.2f} times as long")
        if self.module() == "relaxed":
            self.assertLess(statistics.median(ratios), SLOWEST)
        else:
            print("skipped: this browser or processor has no fused multiply-add")


if __name__ == "__main__":
    main(__doc__)
