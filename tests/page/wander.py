# SPDX-License-Identifier: MIT
"""Somebody without a plan: random edits with all that the page has, and in the end the picture is still that of the flame.

KILN_PAGE_MINUTES=10 goes on for so long; KILN_PAGE_SEED repeats one. Where it fails, the last steps are printed."""
import os
import random
import time

from selenium.common.exceptions import WebDriverException

from films import Films
from hand import FLAME, ActionChains, Keys, PageTest, text_of
from songs import write_song

LETTERS = ["z", "z", "Z", "r", "n", "d", "a", "h", "H", "y", "p", "0", "1", "2", "3", ",", ".", "q", "e", "-", "+", "E", "i", "o", "[", "]",
           "I", "O", "L", "j", "<", ">", "J", ";", "w", "\\", "%", "k", "K", "C", "C", "m", "b", "x", "c", "l", "f", "g", "u", "t", Keys.DELETE,
           Keys.HOME, Keys.PAGE_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP, "P", "|", "{", "}", "U", "T", "Y", "V", "G"]
MANY_PARTS = ["#gallery > .grid .tile:not(:disabled)", "#gallery > .grid .tile:not(:disabled)", ".tried .tile", "#gallery button", "#gallery option",
              ".state .tile", "#kept .segments button", ".chip", ".panel summary, #panel h3 button", "#panel .option", "#panel .segments button",
              "#panel button", "#sight button", "#tabs button", ".chooser .segments button", "#status button", "#panel select option",
              "#timeline button", "#timeline button", "#timeline .key", "#timeline .segment", "#easings button", "#number-menu button", "#versions .tile",
              "#link-form button", "#tile", "#repeats-look", "#versions button", ".chip i", "#wall .star", "#wall .tile", "#settings button", "#touched button, #touched [role=radio]", ".trial .star"]
LINKS = ["=xform1.turn + 72", "=xform2.weight * 0.5", "=xform2.turn", "=2 *"]  # numbers that follow others, in circles too, and a mistake
SLOW = ("size", "quality", "passes", "supersample", "temporal")  # pictures that would take minutes
FIELDS = "#panel [data-field]" + "".join(f":not([data-field^={name}])" for name in SLOW)


class Wandering(Films):
    flames = [flame.replace("estimator_radius", 'temporal_samples="3" estimator_radius')
              for flame in (FLAME.format(name="first"), FLAME.format(name="second").replace("bubble", "eyefish"))]
    options = ["--palettes", PageTest.palettes]
    films = 0  # whose frames were compared
    most_flames = 12  # a copy is a flame more

    def setUp(self):
        super().setUp()
        write_song(self.view.path("song.wav"), seconds=2, rate=8000)

    def visible(self, selector):
        """One of those that a hand could reach; null: there is none."""
        return self.browser.execute_script("""
            const isThere = element => {
              const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
              const top = document.elementFromPoint(x, y);
              return element.checkVisibility() && !element.disabled && box.width > 0 && (element.contains(top) || element.matches('option'));
            };
            const all = [...document.querySelectorAll(arguments[0])].filter(isThere);
            return all[Math.floor(arguments[1] * all.length)];""", selector, self.chance.random())

    def press(self):
        key = self.chance.choice(LETTERS)
        self.said.append(f"key {key!r}")
        self.keys(key)

    def click_one(self):
        selector = self.chance.choice(MANY_PARTS)
        element = self.visible(selector)
        if not element:
            return
        words = (element.get_attribute("aria-label") or element.text or "")[:30]
        if words.startswith(("Save", "Download", "The picture alone", "Copy", "From a file", "Play", "As ", "A copy of", "By ")):
            return  # no edits
        shift = self.chance.random() < 0.2
        self.said.append(f"{'Shift ' if shift else ''}click {selector} {words!r}")
        hand = ActionChains(self.browser, duration=10)
        (hand.key_down(Keys.SHIFT).click(element).key_up(Keys.SHIFT) if shift else hand.click(element)).perform()

    def drag_one(self):
        selector = self.chance.choice(["#overlay circle", "#overlay circle", FIELDS, "#stage", "#stage", ".mark", ".split, #split",
                                       "#timeline .key", "#timeline .strip", ".curve .dot", "#timeline .marker", "#versions .days"])
        element = self.visible(selector)
        if not element:
            return
        dx, dy = self.chance.randint(-60, 60), self.chance.randint(-60, 60)
        self.said.append(f"drag {selector} by {dx} {dy}")
        self.drag(element, dx, dy, steps=4)

    def type_one(self):
        element = self.visible(FIELDS)
        if not element:
            return
        value = self.chance.choice(["0", "1", "-0.4", "1/3", "0.25*pi", "", "7", "nonsense", *LINKS])
        self.said.append(f"type {value!r} into {element.get_attribute('data-field')}")
        element.click()
        self.chord(Keys.CONTROL, "a")
        self.keys(value or Keys.BACKSPACE, self.chance.choice([Keys.ENTER, Keys.TAB, Keys.ESCAPE]))

    def try_variations(self):
        self.said.append("variations")
        self.keys(Keys.ESCAPE, "v")
        self.keys(*[Keys.ARROW_DOWN] * self.chance.randint(1, 6), self.chance.choice([Keys.ENTER, Keys.ESCAPE]))

    def try_palettes(self):
        self.said.append("palettes")
        self.keys(Keys.ESCAPE, "c")
        option = self.visible("#page-Palette .option")
        if option:
            option.click()
            self.keys(*[Keys.ARROW_DOWN] * self.chance.randint(1, 4))

    def touch_light(self):
        """Points at the picture, and drags there."""
        self.said.append("touch the light")
        self.keys(Keys.ESCAPE, "P")
        at = self.chance.randint(-150, 150), self.chance.randint(-80, 80)
        hand = ActionChains(self.browser, duration=10).move_to_element_with_offset(self.one("#stage"), *at).pause(self.chance.random())
        hand.click_and_hold().move_by_offset(self.chance.randint(-60, 60), self.chance.randint(-60, 60)).release().perform()

    def marker(self):
        self.said.append("marker")
        self.keys(Keys.ESCAPE, "M", self.chance.choice(["chorus", "end & <go>", ""]), Keys.ENTER)

    def workspace(self):
        name = self.chance.choice(["shape", "color", "film"])
        self.said.append(f"workspace {name}")
        self.keys(Keys.ESCAPE, "/")
        self.keys(f"workspace: {name}", Keys.ENTER)

    def begin_film(self):
        """Of the flame; in one that is there the hand goes to another time, and a key comes by an edit."""
        begin = self.chance.choice(["#timeline-make-this", "#timeline-make-loop"])
        self.said.append(f"film {begin}")
        if not self.one("#timeline").is_displayed():
            self.keys(Keys.ESCAPE, "T")
        if self.one(begin).is_displayed():
            self.one(begin).click()
        elif strip := self.visible("#timeline .strip"):
            offset = self.chance.randint(-300, 300)
            ActionChains(self.browser).move_to_element_with_offset(strip, offset, round(8 - strip.rect["height"] / 2)).click().perform()
            self.keys(self.chance.choice(["q", "e", "+"]))

    def song(self):
        self.said.append("song")
        button = self.visible("#timeline-song")
        if not button:
            return
        button.click()
        field = self.visible("#song-file")
        if field:
            field.click()
            self.chord(Keys.CONTROL, "a")
            self.keys("song.wav", Keys.ENTER)

    def number_menu(self):
        """Animates or drives a number."""
        field = self.visible(FIELDS)
        if not field:
            return
        self.said.append(f"menu of {field.get_attribute('data-field')}")
        ActionChains(self.browser).context_click(field).perform()
        self.keys(*[Keys.ARROW_DOWN] * self.chance.randint(0, 1), Keys.ENTER)

    def copy_of_state(self):
        if len(self.many("#flames option")) < self.most_flames:
            self.said.append("a copy")
            self.keys(Keys.ESCAPE, "D")

    def wheel(self):
        self.said.append("wheel")
        ActionChains(self.browser).scroll_by_amount(0, self.chance.choice([-120, 120])).perform()

    def calm(self):
        """Where everybody knows what is open: as after Escape, with the page and the panel there."""
        self.said.append("calm")
        for dialog in self.many("dialog[open]"):
            self.browser.execute_script("arguments[0].close()", dialog)
        self.keys(Keys.ESCAPE, Keys.ESCAPE)
        self.browser.execute_script("document.activeElement.blur()")
        if not self.many("#tabs button") or not self.one("#tabs").is_displayed():
            self.keys("\\")

    def test_random_edits_with_everything(self):
        seed = int(os.environ.get("KILN_PAGE_SEED", "0")) or random.SystemRandom().randint(1, 10**6)
        self.chance, self.said = random.Random(seed), []
        end = time.monotonic() + 60 * float(os.environ.get("KILN_PAGE_MINUTES", "0.4"))
        acts = [self.press] * 6 + [self.click_one] * 6 + [self.drag_one] * 3 + [self.type_one] * 3 + [self.try_variations, self.try_palettes, self.wheel]
        acts += [self.touch_light, self.marker, self.workspace, self.begin_film, self.begin_film, self.song, self.number_menu, self.copy_of_state]
        steps = missed = 0
        memory = {}
        try:
            while time.monotonic() < end:
                try:
                    self.chance.choice(acts)()
                except WebDriverException as error:  # it went before the hand was there
                    missed += 1
                    self.said.append(f"  missed: {type(error).__name__}")
                steps += 1
                if steps % 12 == 0:
                    self.calm()
                if steps % 100 == 0:
                    self.look(seed, steps)
                if steps % 500 == 0:
                    memory[steps] = self.memory_mb()
            self.look(seed, steps)
            memory[steps] = self.memory_mb()
        except BaseException:
            print(f"KILN_PAGE_SEED={seed}, after {steps} steps:", *self.said[-40:], sep="\n  ")
            raise
        print(f"{steps} random steps, {missed} missed (KILN_PAGE_SEED={seed}); films: {self.films}; MB of the program after steps: {memory}")
        self.assertLess(missed, max(5, steps / 5))

    def look(self, seed, steps):
        """The picture on the screen is that of the flame, saved and rendered."""
        self.calm()
        if self.read("[data-does=play]", "aria-pressed") == ["true"]:
            self.click("play")
        for _ in range(40):  # a flame that is refused (of no weight, say) has no picture
            end = time.monotonic() + 20
            while not self.hash() and time.monotonic() < end and "error" not in self.one("#notice").get_attribute("class"):
                time.sleep(0.1)
            if self.hash():
                break
            self.keys("z")
            time.sleep(0.5)
        self.keep_picture(f"wander-{steps}")
        self.look_at_film(steps)
        self.assert_saved_is_shown(f"after{steps}")
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [], f"seed {seed}")

    def look_at_film(self, steps):
        """Of a film the frame under the hand is that of the file; then the flame there is left alone."""
        if "film, " not in self.browser.execute_script("return document.querySelector('#flames').selectedOptions[0]?.textContent ?? ''"):
            return
        shown, hand = self.frame(), self.hand()
        path = self.save(f"film{steps}")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        if hand == int(hand) >= 0 and "kiln_clean" not in text_of(path):  # a film is cleaned with its neighbors
            self.assertEqual(self.animated(path, "--frames", str(int(hand))), [shown], "the frame under the hand")
            self.films += 1
        if not self.one("#timeline").is_displayed():
            self.keys(Keys.ESCAPE, "T")
        self.one("//section[@id='timeline']//button[text()='No film']").click()
        self.wait(lambda: self.one("#timeline .begin").is_displayed(), "the flame alone")

    def memory_mb(self):
        with open(f"/proc/{self.view.process.pid}/status") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmRSS"))
