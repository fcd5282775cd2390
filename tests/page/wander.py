# SPDX-License-Identifier: MIT
"""Somebody without a plan: random edits with all that the page has, and in the end the picture is still that of the flame.

KILN_PAGE_MINUTES=10 goes on for so long; KILN_PAGE_SEED repeats one. Where it fails, the last steps are printed."""
import os
import random
import time

from selenium.common.exceptions import WebDriverException

from hand import FLAME, ActionChains, Keys, PageTest

LETTERS = ["z", "z", "Z", "r", "n", "d", "a", "h", "H", "y", "p", "0", "1", "2", "3", ",", ".", "q", "e", "-", "+", "E", "i", "o", "[", "]",
           "I", "O", "L", "j", "<", ">", "J", ";", "w", "\\", "%", "k", "K", "C", "C", "m", "b", "x", "c", "l", "f", "g", "u", "t", Keys.DELETE,
           Keys.HOME, Keys.PAGE_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP]
MANY_PARTS = ["#gallery > .grid .tile:not(:disabled)", "#gallery > .grid .tile:not(:disabled)", ".tried .tile", "#gallery button", "#gallery option",
              ".state .tile", "#kept .segments button", ".chip", ".panel summary, #panel h3 button", "#panel .option", "#panel .segments button",
              "#panel button", "#sight button", "#tabs button", ".chooser .segments button", "#status button", "#panel select option"]
SLOW = ("size", "quality", "passes", "supersample", "temporal")  # pictures that would take minutes
FIELDS = "#panel [data-field]" + "".join(f":not([data-field^={name}])" for name in SLOW)


class Wandering(PageTest):
    size = (1440, 900)
    flames = [FLAME.format(name="first"), FLAME.format(name="second").replace("bubble", "eyefish")]
    options = ["--palettes", PageTest.palettes]

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
        if words.startswith(("Save", "Download", "The picture alone", "Copy", "From a file", "Play")):
            return  # no edits
        shift = self.chance.random() < 0.2
        self.said.append(f"{'Shift ' if shift else ''}click {selector} {words!r}")
        hand = ActionChains(self.browser, duration=10)
        (hand.key_down(Keys.SHIFT).click(element).key_up(Keys.SHIFT) if shift else hand.click(element)).perform()

    def drag_one(self):
        selector = self.chance.choice(["#overlay circle", "#overlay circle", FIELDS, "#stage", "#stage", ".mark", ".split, #split"])
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
        value = self.chance.choice(["0", "1", "-0.4", "1/3", "0.25*pi", "", "7", "nonsense"])
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
        steps = missed = 0
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
            self.look(seed, steps)
        except BaseException:
            print(f"KILN_PAGE_SEED={seed}, after {steps} steps:", *self.said[-40:], sep="\n  ")
            raise
        print(f"{steps} random steps, {missed} missed (KILN_PAGE_SEED={seed})")
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
        self.assert_saved_is_shown(f"after{steps}")
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [], f"seed {seed}")
