# SPDX-License-Identifier: MIT
"""All of a flame on the page: xforms by name, order and light, copied from flame to flame, several at once; xaos, symmetry,
curves, the camera's depth, every attribute that the program has; snapping hands, steps of undo, the search."""
import json
import subprocess
import time
import urllib.request
import xml.etree.ElementTree as ET

from hand import FLAME, PASTE, ActionChains, Keys, PageTest, flame_of, given, xforms_of


class Whole(PageTest):
    """What the tests of this file have in common."""

    def chips(self):
        return self.browser.execute_script("return [...document.querySelectorAll('.chip')].map(chip => chip.textContent)")

    def shift_click(self, element):
        ActionChains(self.browser).key_down(Keys.SHIFT).click(element).key_up(Keys.SHIFT).perform()

    def double_click(self, element):
        ActionChains(self.browser).double_click(element).perform()

    def kinds(self, tree):
        """Which variation each xform has."""
        return [next(name for name in ("julian", "spherical", "bubble", "linear") if xform.get(name)) for xform in xforms_of(tree)]

    def press(self, says):
        button = self.one(f"//div[@id='page-Xforms']//button[text()='{says}']")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()


class Xforms(Whole):
    def test_a_name_is_shown_and_kept(self):
        self.keys("2")
        self.type_into("name", Keys.END)  # of the xform: the first on the page
        self.keys("petal & <leaf>", Keys.ENTER)
        self.assertEqual(self.chips(), ["1", "2 petal & <leaf>", "3"])
        self.assertIn("2 petal & <leaf>", [label.text for label in self.many("#overlay .label")])
        self.assertEqual(xforms_of(self.assert_saved_is_shown("named"))[1].get("name"), "petal & <leaf>")
        self.open()
        self.assertEqual(self.chips()[1], "2 petal & <leaf>", "the program has the name")

    def test_a_chip_is_dragged_and_its_xaos_goes_along(self):
        self.keys("1")
        self.type_into("xaos 1 3", "0.25", Keys.ENTER, Keys.ESCAPE)
        self.type_into("xaos 3 2", "4", Keys.ENTER, Keys.ESCAPE)
        first, third = self.many(".chip")[0], self.many(".chip")[2]
        self.drag(first, third.rect["x"] - first.rect["x"], 0)
        self.assertEqual(self.chosen(), [2])
        tree = self.assert_saved_is_shown("dragged")
        self.assertEqual(self.kinds(tree), ["spherical", "bubble", "julian"])
        chaos = [(xform.get("chaos") or "1 1 1").split() for xform in xforms_of(tree)]
        self.assertEqual(chaos, [["1", "1", "1"], ["4", "1", "1"], ["1", "0.25", "1"]])
        self.keys(",")  # back by a place
        self.wait(lambda: self.chosen() == [1], "a place earlier")
        self.assertEqual(self.value("xaos 2 3"), 0.25)
        self.assertEqual(self.kinds(self.assert_saved_is_shown("keys")), ["spherical", "julian", "bubble"])

    def test_muted_and_again(self):
        first = self.settled()
        self.keys("2")
        self.type_into("opacity", "0.6", Keys.ENTER, Keys.ESCAPE)
        second = self.settled(first)
        self.keys("h")
        third = self.settled(second)
        self.assertEqual(self.value("opacity"), 0)
        self.assertIn("muted", self.many(".chip")[1].get_attribute("aria-label"))
        self.assertEqual(xforms_of(self.assert_saved_is_shown("muted"))[1].get("opacity"), "0")
        self.open()  # what was there before is kept with the flame
        self.keys("2", "h")
        self.assertEqual(self.settled(third), second)
        self.assertEqual(self.value("opacity"), 0.6)

    def test_solo_is_the_picture_of_soloxform(self):
        first = self.settled()
        self.keys("3")
        self.press("Solo")
        second = self.settled(first)
        path = self.view.path("in0.flam3")
        with open(path) as file:
            text = file.read()
        with open(self.view.path("solo.flam3"), "w") as file:
            file.write(text.replace("<flame ", '<flame soloxform="2" '))
        self.assertEqual(self.rendered_hash(self.view.path("solo.flam3")), second)
        self.keys("H")
        self.assertEqual(self.settled(second), first)

    def test_several_at_once(self):
        self.keys("1")
        self.shift_click(self.many(".chip")[2])
        self.assertEqual(self.chosen(), [0, 2])
        self.type_into("weight", "0.75", Keys.ENTER, Keys.ESCAPE)
        self.type_into("color", "0.2", Keys.ENTER, Keys.ESCAPE)
        self.keys(Keys.ARROW_RIGHT)
        tree = self.assert_saved_is_shown("several")
        self.assertEqual([xform.get("weight") for xform in xforms_of(tree)], ["0.75", "1", "0.75"])
        self.assertEqual([xform.get("color") for xform in xforms_of(tree)], ["0.2", "0.9", "0.2"])
        x = [float(xform.get("coefs").split()[4]) for xform in xforms_of(tree)]
        self.assertAlmostEqual(x[0] + 0.4, x[2] + 0.5, places=6)
        self.assertGreater(x[0], -0.39)
        self.assertEqual(x[1], 0.6)
        self.keys("d")
        self.assertEqual(self.chosen(), [3, 4])
        self.keys(Keys.DELETE)
        self.assertEqual(self.kinds(self.assert_saved_is_shown("as-before")), ["julian", "spherical", "bubble"])
        self.keys("a", Keys.DELETE)
        self.assertEqual(len(self.chips()), 3, "a flame has one xform at least")

    def test_the_chosen_chip_is_read_under_the_mouse(self):
        """Also the other buttons with dark words."""
        for key, selector in ((Keys.ESCAPE, ".chip[aria-pressed=true]"), ("s", "#save .first")):
            self.keys(key)
            button = self.one(selector)
            ActionChains(self.browser).move_to_element(button).perform()
            ink, ground = (self.browser.execute_script("return getComputedStyle(arguments[0])[arguments[1]].match(/[\\d.]+/g).map(Number)", button, one)
                           for one in ("color", "backgroundColor"))
            light = lambda color: sum(share * (level / 255) ** 2.2 for share, level in zip((0.2126, 0.7152, 0.0722), color))
            high, low = sorted((light(ink), light(ground)), reverse=True)
            self.assertGreater((high + 0.05) / (low + 0.05), 3, f"{selector}: {ink} on {ground}")

    def test_a_drag_of_one_that_is_beside_takes_all_along(self):
        before = self.coefs()
        self.keys("1")
        self.shift_click(self.many(".chip")[1])
        self.drag(self.one("#overlay .beside circle[data-part=o]"), 40, 20)
        after = self.coefs()
        self.assertEqual(self.chosen(), [0, 1])
        for i in (0, 1):
            self.assertGreater(after[i][4] - before[i][4], 0.05)

    def test_undo_of_a_copy_chooses_what_was_chosen(self):
        self.keys("1", "d")
        self.assertEqual(self.chosen(), [3])
        self.wait(lambda: self.one("[data-does=undo]").is_enabled(), "a step")
        self.keys("z")
        self.wait(lambda: len(self.chips()) == 3, "no copy")
        self.assertEqual(self.chosen(), [0])

    def test_several_follow_the_drag_of_one(self):
        before = self.coefs()
        self.keys("1")
        self.shift_click(self.many(".chip")[1])
        self.drag(self.one("#overlay .chosen circle[data-part=o]"), 40, 20)
        after = self.coefs()
        moves = [[b - a for a, b in zip(*pair)] for pair in zip(before, after)]
        self.assertGreater(moves[1][4], 0.05)
        for one, other in zip(moves[0], moves[1]):
            self.assertAlmostEqual(one, other, places=6)
        self.assertEqual(moves[2], [0] * 6)

    def coefs(self):
        return [[float(number) for number in xform.get("coefs").split()] for xform in xforms_of(self.assert_saved_is_shown("c" + str(time.monotonic_ns())))]


class Clipboard(Whole):
    flames = [FLAME.format(name="first"), FLAME.format(name="second").replace("bubble", "eyefish")]

    def test_an_xform_goes_from_flame_to_flame(self):
        self.keys("3")
        self.type_into("xaos 3 1", "2", Keys.ENTER, Keys.ESCAPE)
        self.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.keys("y")
        self.wait(lambda: "copied" in self.one("#notice").text, "a word that it is copied")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: "second" in self.browser.title, "the second flame")
        self.press("Paste")
        self.wait(lambda: len(self.chips()) == 4, "another xform")
        self.assertEqual(self.chosen(), [3])
        pasted = xforms_of(self.assert_saved_is_shown("pasted"))[3]
        self.assertEqual((pasted.get("bubble"), pasted.get("chaos")), ("0.7", None))

    def test_text_of_other_programs(self):
        self.browser.execute_script(PASTE, '<xform weight="0.3" color="0.5" spherical="1" coefs="1 0 0 1 0.5 0"/>\n'
                                           '<finalxform color="0" linear="1" coefs="0.9 0.1 -0.1 0.9 0 0"/>')
        self.wait(lambda: self.chips() == ["1", "2", "3", "4", "F"], "both of them")
        self.assertEqual(self.chosen(), [3, 4])
        self.browser.execute_script(PASTE, '<finalxform color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>')
        self.wait(lambda: self.chosen() == [4] and len(self.chips()) == 5, "it takes the place of the other")
        self.assertEqual(self.value("a"), 0.5)
        for text in ("some words", "<xform", "<flame/>"):
            self.browser.execute_script(PASTE, text)
        self.assertEqual(len(self.chips()), 5)
        self.assertEqual(len(self.assert_saved_is_shown("both").findall(".//finalxform")), 1)


class Xaos(Whole):
    def test_the_table(self):
        self.assertEqual(len(self.many(".xaos .number")), 9)
        self.drag(self.field("xaos 2 1"), 60, 0)
        self.assertGreater(self.value("xaos 2 1"), 1.4)
        self.type_into("xaos 1 2", "0", Keys.ENTER, Keys.ESCAPE)
        colors = self.browser.execute_script("return ['1 2', '2 2', '2 1'].map(name => getComputedStyle("
                                             "document.querySelector(`[data-field='xaos ${name}']`).parentNode).backgroundColor)")
        self.assertEqual(len(set(colors)), 3, "each value has its color")
        self.one(".xaos button[data-row='2']").click()
        self.assertEqual(self.chosen(), [2])
        self.one("//button[contains(@title, 'only to Xform 2')]").click()
        self.assertEqual([self.value(f"xaos 3 {to}") for to in (1, 2, 3)], [0, 1, 0])
        xforms = xforms_of(self.assert_saved_is_shown("xaos"))
        self.assertEqual(xforms[2].get("chaos").split(), ["0", "1", "0"])
        self.press("Clear row")
        self.assertEqual([self.value(f"xaos 3 {to}") for to in (1, 2, 3)], [1, 1, 1])
        self.assertEqual(self.value("xaos 1 2"), 0)
        self.press("Clear all")
        self.assertEqual([xform.get("chaos") for xform in xforms_of(self.assert_saved_is_shown("clear"))], [None] * 3)


class Symmetry(Whole):
    def set(self, order, mirrored):
        self.one(f"#symmetry .segments button[data-value='{'mirrored' if mirrored else ''}']").click()
        self.type_into("symmetry order", str(order), Keys.ENTER, Keys.ESCAPE)
        self.one("//*[@id='symmetry']//button[text()='Add' or text()='Replace']").click()

    def test_it_is_the_picture_of_the_element(self):
        first = before = self.settled()
        for order, mirrored in ((5, False), (12, False), (3, True), (1, True), (2, False)):
            self.set(order, mirrored)
            shown = self.settled(before)
            kind = -order if mirrored else order
            with open(self.view.path("kind.flam3"), "w") as file:
                file.write(FLAME.format(name="rose").replace("</flame>", f'<symmetry kind="{kind}"/></flame>'))
            self.assertEqual(self.rendered_hash(self.view.path("kind.flam3")), shown, f"kind {kind}")
            self.assertEqual(len(self.chips()), 3 + order - 1 + mirrored)
            before = shown
        self.set(5, False)  # in flam3's order, which this picture does not tell
        maps = [[float(number) for number in xform.get("coefs").split()] for xform in xforms_of(self.assert_saved_is_shown("five"))[3:]]
        areas = [a * e - b * d for a, d, b, e, _, _ in maps]
        self.assertEqual(areas, sorted(areas))
        self.assertLess(areas[0], areas[-1])
        before = self.settled()
        self.one("//*[@id='symmetry']//button[text()='Remove']").click()
        self.assertEqual(self.settled(before), first)
        self.assertEqual(len(self.chips()), 3)

    def test_one_step_of_undo_and_another_center(self):
        first = self.settled()
        self.type_into("symmetry x", "0.5", Keys.ENTER, Keys.ESCAPE)
        self.set(4, False)
        second = self.settled(first)
        turns = [xform for xform in xforms_of(self.assert_saved_is_shown("center")) if xform.get("animate") == "0"]
        self.assertEqual(len(turns), 3)
        for xform in turns:
            a, d, b, e, c, f = (float(number) for number in xform.get("coefs").split())
            self.assertAlmostEqual(a * 0.5 + c, 0.5, places=6)
            self.assertAlmostEqual(d * 0.5 + f, 0, places=6)
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(second), first)


class Attributes(Whole):
    options = ["--palettes", PageTest.palettes]
    # what is no field of its own: a button, a list, a picture to drag in
    others = {"cam_dist", "hue", "overall_curve", "red_curve", "green_curve", "blue_curve", "curves", "kiln_curves", "palette",
              "soloxform", "kiln_tile", "background", "background_ul", "background_ur", "background_ll", "background_lr", "background_cc"}

    def table(self):
        address, _, token = self.view.address.partition("?")
        with urllib.request.urlopen(f"{address}attributes.json?{token}") as answer:
            return json.load(answer)

    def test_every_attribute_has_a_control(self):
        table = self.table()
        self.assertGreater(len(table), 50)
        missing = [row["name"] for row in table if not self.many(f"#pages [data-attribute~='{row['name']}']")]
        self.assertEqual(missing, [])
        untold = self.browser.execute_script("""
            const tip = (element, name) => [...element.querySelectorAll('[title]'), element].some(one => one.title?.includes(name));
            return arguments[0].filter(name => ![...document.querySelectorAll(`#pages [data-attribute~="${name}"]`)].some(
                element => tip(element, name) || element.matches('.searchlist')));""",
                                             [row["name"] for row in table if row["name"] not in ("curves", "kiln_curves")])
        self.assertEqual(untold, [], "tips that do not say the attribute")

    def test_every_field_changes_its_attribute(self):
        rows = [row for row in self.table() if row["name"] not in self.others]
        wanted = {}
        for row in rows:
            name, type = row["name"], row["type"]
            several = type.endswith("s") and type != "words"
            field = self.one(f"#pages [data-attribute~='{name}'] [data-field='{name}{' 0' if several else ''}']") \
                if type != "text" else self.one(f"#page-Flame [data-field='{name}']")
            if type == "word":
                value = next(word for word in row["words"] if word != row["default"])
            elif type == "text":
                value = "some-" + name
            else:
                value = {"quality": "12", "size": "200", "temporal_samples": "7", "kiln_glare": "4", "time": "3", "white_level": "200",
                         "preserve_z": "0"}.get(name, "2" if "whole" in type else "0.75")
            self.browser.execute_script("""
                const [field, value] = arguments;
                field.value = value;
                field.dispatchEvent(new Event(field.localName === 'select' ? 'change' : 'input', {bubbles: true}));
                field.dispatchEvent(new Event('change', {bubbles: true}));""", field, value)
            wanted[name] = value
        time.sleep(0.5)
        self.wait(lambda: self.one("#quality").text.startswith("finished"), "the finished picture")
        flame = flame_of(ET.parse(self.save("all")).getroot())
        for name, value in wanted.items():
            if name in ("cam_pitch", "cam_yaw"):
                self.assertAlmostEqual(float(flame.get(name)), 0.75 * 3.141592653589793 / 180, places=6)
            elif name != "interpolation":  # smooth needs neighbors: a single key is linear again
                self.assertEqual((flame.get(name) or "left out").split()[0], value, name)

    def test_negative_color_speed(self):
        self.type_into("color_speed", "-0.5", Keys.ENTER, Keys.ESCAPE)
        self.assertEqual(xforms_of(self.assert_saved_is_shown("away"))[0].get("color_speed"), "-0.5")


class Curves(Whole):
    def points(self, name="overall_curve"):
        self.wait(lambda: self.hash(), "the picture")
        text = flame_of(ET.parse(self.save("p" + str(time.monotonic_ns()))).getroot()).get(name)
        return text and [float(number) for number in text.split()]

    def test_points_come_move_and_go(self):
        first = self.settled()
        self.keys("l")
        svg = self.one(".curves svg")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        self.drag(svg, 0, -int(svg.rect["height"] * 0.9 * 0.2))  # a press in the middle makes a point of the line
        second = self.settled(first)
        self.assertEqual(len(self.many(".curves [data-point]")), 3)
        x, y = self.points()[2:4]
        self.assertAlmostEqual(x, 0.5, delta=0.03)
        self.assertAlmostEqual(y, 0.7, delta=0.03)
        self.assert_saved_is_shown("bright")
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(second), first, "point and drag are one step")
        self.chord(Keys.CONTROL, Keys.SHIFT, "z")
        self.assertEqual(self.settled(first), second)
        self.one(".curves .segments button:nth-child(4)").click()  # blue
        self.assertEqual(len(self.many(".curves [data-point]")), 2)
        self.browser.execute_script("document.querySelector('.curves [data-point]').focus()")
        self.keys(Keys.ARROW_UP, Keys.ARROW_UP)
        third = self.settled(second)
        self.assertAlmostEqual(self.points("blue_curve")[1], 0.02, places=4)
        self.keys("l")
        self.one(".curves .segments button:nth-child(1)").click()
        self.double_click(self.many(".curves [data-point] .reach")[1])
        self.settled(third)
        self.assertIsNone(self.points())
        self.one("//div[contains(@class, 'curves')]//button[text()='All straight']").click()
        self.wait(lambda: self.hash() == first, "the first picture")

    def test_the_line_is_that_of_the_picture(self):
        """What the page draws between points is what the program does to each pixel."""
        pixels = "const canvas = document.getElementById('picture');" \
                 "const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
        first = self.settled()
        self.browser.execute_script(pixels + "window.before = data;")
        self.keys("l")
        svg = self.one(".curves svg")
        self.drag(svg, 0, -int(svg.rect["height"] * 0.25))
        self.settled(first)
        worst, many = self.browser.execute_script(pixels + """
            const line = document.querySelector('.curves .line').getAttribute('d').slice(1).split('L')
                .map(point => point.split(' ').map(Number)).map(([x, y]) => [x / 100, 1 - y / 72]);
            const at = value => {
              const place = value * (line.length - 1), i = Math.min(line.length - 2, Math.floor(place));
              return line[i][1] + (line[i + 1][1] - line[i][1]) * (place - i);
            };
            let worst = 0, many = 0;
            data.forEach((value, i) => {
              if (i % 4 === 3 || window.before[i] < 8) return;
              worst = Math.max(worst, Math.abs(value - 255 * at(window.before[i] / 255)));
              many += Math.abs(value - window.before[i]) > 10;
            });
            return [worst, many];""")
        self.assertGreater(many, 5000, "pixels that are brighter")
        self.assertLess(worst, 3)


class Histograms(Whole):
    # Levels of a picture and what stands behind its curves: the height of each step, of 72.
    heights = """const line = document.querySelector('.curves .histogram').getAttribute('d') ?? '';
        return [...line.matchAll(/L[\\d.]+ ([\\d.]+)H/g)].map(step => 72 - Number(step[1]));"""

    def test_behind_curves_stands_how_bright_the_picture_is(self):
        first = self.settled()
        self.keys("l")
        self.type_into("brightness", "0.02", Keys.ENTER)
        dark = self.settled(first)
        heights = lambda: self.browser.execute_script(self.heights)
        self.wait(lambda: len(heights()) == 64 and sum(heights()[32:]) == 0, "nothing is bright")
        self.type_into("brightness", "40", Keys.ENTER, Keys.ESCAPE)
        self.settled(dark)
        self.wait(lambda: sum(heights()[32:]) > 72, "much is")
        all_of_them = heights()
        self.many(".curves .segments button")[3].click()
        self.assertNotEqual(heights(), all_of_them, "blue has its own")
        self.keep_picture("histogram")


class OtherCurves(Whole):
    """Those of Apophysis, and the mix between two key flames."""
    bezier = "0 0 1 0.3 0.5 1 0.7 0.6 1 1 1 1" + " 0 0 1 0 0 1 1 1 1 1 1 1" * 3
    flames = [FLAME.format(name="apophysis").replace("<flame ", f'<flame kiln_dialect="apophysis" enable_de="1" curves="{bezier}" '),
              FLAME.format(name="mix").replace("<flame ", '<flame kiln_curves="0.5 spline 3 0 0 1 0.5 0.7 1 1 1 1 0 0 0 0.5 spline 0 0 0 0" ')]

    def test_four_points_by_their_height(self):
        first = self.settled()
        self.keys("l")
        dots = self.many(".curves [data-point]")
        self.assertEqual(len(dots), 4)
        self.browser.execute_script("arguments[0].focus()", dots[1])
        self.keys(Keys.ARROW_RIGHT, *[Keys.ARROW_UP] * 5, Keys.DELETE)
        self.settled(first)
        self.assertEqual(len(self.many(".curves [data-point]")), 4)
        numbers = [float(number) for number in flame_of(self.assert_saved_is_shown("apophysis")).get("curves").split()]
        self.assertEqual(numbers[3:6], [0.3, 0.55, 1])
        self.assertEqual(len(numbers), 48)

    def test_a_mix_can_only_be_made_straight(self):
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: "mix" in self.browser.title, "the second flame")
        before = self.settled()
        self.keys("l")
        self.assertFalse(self.one(".curves svg").is_displayed())
        self.one("//div[contains(@class, 'curves')]//button[text()='All straight']").click()
        self.settled(before)
        self.assertTrue(self.one(".curves svg").is_displayed())
        self.assertIsNone(flame_of(self.assert_saved_is_shown("straight")).get("kiln_curves"))


class Hands(Whole):
    def test_double_click_brings_the_default(self):
        self.keys("l")
        field = self.field("gamma")
        label = "return document.querySelector('[data-field=gamma]').parentNode.classList.contains('changed')"
        self.assertTrue(self.browser.execute_script(label), "a dot: it is not the default")
        self.double_click(field)
        self.wait(lambda: self.value("gamma") == 4, "the default")
        self.assertFalse(self.browser.execute_script(label))
        self.keys(Keys.ESCAPE, "x", Keys.ESCAPE)
        self.type_into("c", "2*pi", Keys.ENTER)
        self.assertAlmostEqual(self.value("c"), 6.28319, places=4)

    def held(self, key, element, dx, dy):
        ActionChains(self.browser).key_down(key).perform()
        self.drag(element, dx, dy)
        ActionChains(self.browser).key_up(key).perform()

    def test_snapping_and_scaling(self):
        size = self.value("size")
        ring = "#overlay .chosen circle[data-part=ring]"
        self.held(Keys.CONTROL, self.one(ring), 25, 40)
        turn = self.value("turn")
        self.assertAlmostEqual(turn, 15 * round(turn / 15), delta=0.01)
        self.held(Keys.SHIFT, self.one(ring), 30, 12)
        self.assertAlmostEqual(self.value("turn"), turn, delta=0.01)
        self.assertNotAlmostEqual(self.value("size"), size, places=2)
        size = self.value("size")
        self.held(Keys.ALT, self.one(ring), 30, -20)
        self.assertAlmostEqual(self.value("size"), size, places=3)
        self.assertNotAlmostEqual(self.value("turn"), turn, delta=0.5)
        self.held(Keys.CONTROL, self.one("#overlay .chosen circle[data-part=o]"), 33, 27)
        for letter in "cf":
            tenths = self.value(letter) * 20  # multiples of 0.05 at least
            self.assertAlmostEqual(tenths, round(tenths), places=4)
        a, b, d, e = (self.value(letter) for letter in "abde")
        self.held(Keys.SHIFT, self.one("#overlay .chosen circle[data-part=x]"), 20, -9)
        factor = self.value("a") / a
        self.assertNotAlmostEqual(factor, 1, places=2)
        for letter, before in (("b", b), ("d", d), ("e", e)):
            self.assertAlmostEqual(self.value(letter), before * factor, delta=0.002)
        self.assertTrue(self.one("#overlay .chosen .axis.x").is_displayed())

    def test_steps_have_names_and_lead_back(self):
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT)
        second = self.settled(first)
        self.keys("i")
        third = self.settled(second)
        self.keys("n")
        self.settled(third)
        self.keys("u")
        says = lambda: self.browser.execute_script("return [...document.querySelectorAll('.step')].map(step => step.innerText.trim())")
        self.wait(lambda: len(says()) == 4, "the steps")
        self.assertEqual(says(), ["1 xform added", "camera", "xform 1: triangle", "as it was opened"])
        self.many(".step")[3].click()
        self.wait(lambda: self.hash() == first, "the first picture")
        self.many(".step")[1].click()
        self.wait(lambda: self.hash() == third, "the third")
        self.keys("l")
        self.type_into("gamma", "3.5", Keys.ENTER, Keys.ESCAPE)
        self.keys("u")
        self.wait(lambda: says()[0] == "gamma 3 → 3.5", "the new step")
        self.assertEqual(len(says()), 4, "what was undone is gone")

    def test_steps_are_told_by_what_changed(self):
        flame = FLAME.format(name="rose")
        first, second = flame.index("<xform"), flame.index('<xform weight="1"')
        third = flame.index('<xform weight="0.5"')
        changes = {
            "xform 2: muted": flame.replace('spherical="0.3"', 'spherical="0.3" kiln_opacity="1" opacity="0"'),
            "xform 1: xaos": flame.replace('weight="2"', 'weight="2" chaos="1 0 1"'),
            "xform 3: bubble 0.7 → 0.75": flame.replace('bubble="0.7"', 'bubble="0.75"'),
            "xform 3: swirl added": flame.replace('bubble="0.7"', 'bubble="0.7" swirl="1"'),
            "3 xforms: color_speed": flame.replace('color_speed="0.5"', 'color_speed="0.6"').replace('color_speed="0.4"', 'color_speed="0.5"'),
            "another order": flame[:first] + flame[second:third] + flame[first:second] + flame[third:],
            "motion": flame.replace('0.5 0.6 -0.2"/>', '0.5 0.6 -0.2"><motion spherical="0.1" motion_frequency="1" motion_function="sin"/></xform>'),
            "palette": flame.replace("20 30 60", "20 30 61"),
            "1 xform removed": flame[:first] + flame[second:],
            "filter_shape added": flame.replace("<flame ", '<flame filter_shape="box" '),
            "another flame": flame.replace('name="rose"', 'name="other"').replace('brightness="5" gamma="3"', 'brightness="6" gamma="4"')
                                  .replace('radius="5"', 'radius="6"'),
            "edit": flame.replace('julian_dist="-0.7"', 'julian_dist="-0.70000000001"').replace("<flame ", '<flame zoom="0" '),
        }
        told = self.browser.execute_script("return import(new URL('panel/steps.js', location.href).href).then("
                                           "({stepName}) => arguments[1].map(text => stepName(arguments[0], text)));", flame, list(changes.values()))
        self.assertEqual(told, list(changes))
        mute = lambda text, *kinds: text if not kinds else mute(text.replace(f'{kinds[0]}="0', f'kiln_opacity="1" opacity="0" {kinds[0]}="0'), *kinds[1:])
        two, solo, other = mute(flame, "julian", "spherical"), mute(flame, "julian", "bubble"), mute(flame, "spherical", "bubble")
        four = flame.replace("<color ", '<xform weight="1" linear="1" coefs="1 0 0 1 0 0"/>' * 2 + "<color ", 1)
        pairs = [(four, mute(four, "julian", "spherical")), (flame, solo), (solo, other), (two, flame)]
        self.assertEqual(self.tell(pairs), ["xforms 1, 2 muted", "xform 2 alone", "xform 1 alone", "all xforms not muted"])

    def tell(self, pairs):
        return self.browser.execute_script("return import(new URL('panel/steps.js', location.href).href).then("
                                           "({stepName}) => arguments[0].map(([one, other]) => stepName(one, other)));", pairs)

    def test_steps_of_keys_are_told_apart(self):
        first = self.settled()
        self.keys("q", "e", "+", "-")
        self.wait(lambda: self.browser.execute_script("return document.querySelector('[data-does=undo]').disabled") is False, "steps")
        self.keys("u")
        self.wait(lambda: len(self.many(".step")) == 5, "each of them")
        self.settled()  # the list is drawn anew with the picture of its last step
        self.many(".step")[4].click()
        self.wait(lambda: self.hash() == first, "the first picture")

    def test_the_search_finds_any_field(self):
        for words, field, tab in (("cam_dof", "cam_dof", "Camera"), ("DE radius", "estimator_radius", "Look"), ("passes", "passes", "Camera"),
                                  ("julian power", "julian_power", "Xforms"), ("saturation", "saturation", "Palette"),
                                  ("symmetry turns", "symmetry order", "Xforms"), ("chaos", "Xaos", "Xforms"), ("red_curve", "Curves of brightness", "Look")):
            self.keys("/")
            self.keys(words, Keys.ENTER)
            self.assertEqual(self.browser.execute_script(
                "const {field, find} = document.activeElement.dataset; return field ?? find"), field)
            self.assertEqual(self.one(f"#tab-{tab}").get_attribute("aria-selected"), "true")
            self.keys(Keys.ESCAPE)


    def test_the_search_does_what_has_a_key_and_shows_the_key(self):
        first = self.settled()
        self.keys("/")
        self.keys("turn it to the left")
        self.assertEqual(self.one("#find .option[aria-selected] .keys").text, "Q")
        self.keep_picture("palette-of-commands")
        self.keys(Keys.ENTER)
        self.settled(first)
        self.assertEqual(self.many("#find[open]"), [])
        self.keys("/", "mutations", Keys.ENTER)
        self.wait(lambda: self.one("#gallery").is_displayed(), "the wall")
        self.keys(Keys.ESCAPE, "/", "render the", Keys.ENTER)
        self.wait(lambda: self.many("#render[open]"), "a dialog")
        self.keys(Keys.ESCAPE, "/", "formula of", Keys.ENTER)
        self.wait(lambda: self.many("#formula[open]"), "what has no key")
        self.keys(Keys.ESCAPE, "/", "export", Keys.ENTER)
        self.wait(lambda: "make one here first" in self.one("#notice").text, "there is no film")
        self.keys("/", "turn", Keys.ENTER)
        self.assertEqual(self.browser.execute_script("return document.activeElement.dataset.field"), "turn", "a field that is called so comes first")


class Small(Whole):
    """Nothing of it is right of a phone's screen."""
    size = (390, 844)
    touch = True
    flames = [FLAME.format(name="rose").replace("<color index=\"0\"", '<xform weight="1" linear="1" coefs="0.3 0 0 0.3 1 0"/>' * 6 + "<color index=\"0\"")]

    def test_a_chip_that_is_held_is_chosen_beside(self):
        spot = self.many(".chip")[2].rect
        touch = {"x": spot["x"] + 20, "y": spot["y"] + 20}
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[touch])
        self.wait(lambda: self.chosen() == [0, 2], "both of them")
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.assertEqual(self.chosen(), [0, 2])

    def test_nothing_is_outside(self):
        for tab in self.many("#tabs button"):
            self.browser.execute_script("arguments[0].click()", tab)
            wide = self.browser.execute_script("""
                const out = element => element.getBoundingClientRect().right > innerWidth + 0.5 && element.checkVisibility()
                    && !element.closest('.sideways');
                return [document.documentElement.scrollWidth > innerWidth, document.getElementById('pages').scrollWidth
                    > document.getElementById('pages').clientWidth + 1,
                    [...document.querySelectorAll('#panel *')].filter(out).map(element => element.outerHTML.slice(0, 80))];""")
            self.assertEqual(wide, [False, False, []], tab.text)
            self.keep_picture("phone-" + tab.text)


class Wide(Whole):
    size = (1440, 900)
    options = ["--palettes", PageTest.palettes]

    def test_pictures_of_all_tabs(self):
        self.keys("1")
        self.shift_click(self.many(".chip")[1])
        for tab in self.many("#tabs button"):
            tab.click()
            height = self.browser.execute_script("return [document.getElementById('pages').scrollHeight, document.getElementById('pages').clientHeight]")
            self.assertGreater(height[0], 100)
            self.keep_picture("large-" + tab.text)
            self.browser.execute_script("document.getElementById('pages').scrollTop = 1e6")
            self.keep_picture("large-" + tab.text + "-end")

    def test_words_stand_beside_the_signs_where_there_is_room(self):
        self.settled()
        words = lambda: [one.text for one in self.many("#bar .roomy") if one.is_displayed()]
        self.assertEqual(words(), [])
        self.cdp("Emulation.setDeviceMetricsOverride", width=1800, height=900, deviceScaleFactor=1, mobile=False)
        self.wait(lambda: words() == ["All", "Undo", "Redo", "Room", "Find", "Panel", "Kept", "Keys"], "all of them")
        self.assertLessEqual(self.one("#bar").size["height"], 46, "in one row")
