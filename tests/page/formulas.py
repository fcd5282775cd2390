# SPDX-License-Identifier: MIT
"""Formulas that are typed in the page: errors under the place, the picture that follows, the ends of parameters, those of one's own."""
import os
import xml.etree.ElementTree as ET

from hand import FLAME, Keys, PageTest, flame_of, text_of, xforms_of

TWIRL = """  <variation name="twirl" let="c = cos(k*r2); s = sin(k*r2)" x="x*c - y*s" y="x*s + y*c">
    <parameter name="k" default="1" from="0" to="4"/><parameter name="m" from="-2" to="2"/>
  </variation>
"""
TWIRLED = (FLAME.format(name="twirled").replace("  <xform", TWIRL + "  <xform", 1).replace('julian="0.8"', 'twirl="0.8" twirl_k="1.5" linear="0.1"')
           .replace('spherical="0.3"', 'pre_twirl="0.3" pre_twirl_k="0.5"'))
OTHER = FLAME.format(name="other").replace("  <xform", '  <variation name="twirl" x="y" y="x"/>\n  <xform', 1)


class FormulaTest(PageTest):
    size = (1440, 900)

    def part(self, name):
        return self.one(f'#formula [data-formula="{name}"]')

    def write(self, name, text):
        """In place of what is there, by keys."""
        self.part(name).click()
        self.chord(Keys.CONTROL, "a")
        self.keys(text)

    def parameter(self, i, name, text):
        self.many(f'#formula [data-parameter="{name}"]')[i].click()
        self.chord(Keys.CONTROL, "a")
        self.keys(text)

    def begin(self, name=None):
        selector = f"button[aria-label='Edit the formula {name}']" if name else ".formulas > button"
        self.one(selector).click()
        self.wait(lambda: self.many("#formula[open]"), "the editor")
        self.wait(lambda: self.many("#formula .top img[src]"), "what it makes of a grid")

    def mistakes(self):
        return [one.text for one in self.many("#formula .mistake") if one.is_displayed()]

    def is_said(self, words):
        return any(words in one for one in self.mistakes())

    def done(self, field=None):
        """`field`: that the panel has for it then."""
        self.one("#formula [type=submit]").click()
        self.wait(lambda: not self.many("#formula[open]"), "it is taken")
        self.wait(lambda: not field or self.many(f"[data-field='{field}']"), f"the field {field}")

    def marked(self):
        return self.one("#formula .mistake:not([hidden]) mark").get_attribute("textContent")


class Formulas(FormulaTest):
    flames = [FLAME.format(name="rose")]

    def test_type_one_and_the_picture_follows(self):
        first = self.settled()
        self.begin()
        second = self.settled(first)
        self.wait(lambda: len(self.many("#formula .end-picture img[src]")) == 2, "the parameter at both ends")
        self.keep_picture("formula-1440")
        self.write("name", "own")
        self.write("x", "x*cos(k*r) + 0.2")
        third = self.settled(second)
        self.write("x", "x*cos(k*r + sin(y")
        self.wait(lambda: self.mistakes(), "what is wrong")
        self.assertIn('")" of sin is missing', self.mistakes()[0])
        self.keep_picture("formula-wrong-1440")
        self.assertEqual(self.settled(), third, "the flame is as it was last")
        self.write("x", "x*cos(k*q)")
        self.wait(lambda: self.is_said("there is no q"), "another mistake")
        self.assertEqual(self.marked(), "q")
        self.one("#formula .mistake:not([hidden])").click()
        self.keys("r")  # over what the click has chosen
        self.wait(lambda: not self.mistakes(), "it is mended")
        fourth = self.settled(third)
        self.done("own")
        self.assertEqual(self.value("own"), 0.3)
        tree = self.assert_saved_is_shown("typed")
        formula = flame_of(tree).find("variation")
        self.assertEqual((formula.get("name"), formula.get("x"), formula.find("parameter").get("to")), ("own", "x*cos(k*r)", "1"))
        self.assertEqual(xforms_of(tree)[0].get("own"), "0.3")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == first, "one step of undo")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())
        self.keys("Z")
        self.wait(lambda: self.hash() == fourth, "and back")

    def test_a_small_picture_sets_the_parameter(self):
        self.begin()
        ends = self.wait(lambda: len(self.many("#formula .end-picture img[src]")) == 2 and self.many("#formula .end-picture"), "its ends")
        before = self.settled()
        self.assertEqual(ends[1].text, "k = 1")
        ends[1].click()
        second = self.settled(before)
        self.wait(lambda: self.read("#formula .end-picture", "aria-pressed") == ["false", "true"], "it is pressed")
        self.parameter(0, "to", "2")
        self.wait(lambda: ends[1].text == "k = 2", "its other end")
        self.assertEqual(self.settled(), second, "an end is no value")
        self.parameter(0, "name", "speed")
        self.wait(lambda: self.mistakes(), "x speaks of k still")
        self.write("x", "x + speed*sin(4*y)")
        self.write("y", "y + speed*sin(4*x)")
        self.wait(lambda: not self.mistakes(), "all of it has the new name")
        self.done("my_wave_speed")
        self.assertEqual(self.value("my_wave_speed"), 1, "the value goes with the name")
        tree = self.assert_saved_is_shown("set")
        self.assertEqual(xforms_of(tree)[0].get("my_wave_speed"), "1")
        self.assertEqual(self.settled(), second, "the same under another name")

    def test_mistakes_of_parameters_and_names(self):
        self.begin()
        self.one("#formula h3 button").click()
        self.parameter(1, "from", "3")
        self.wait(lambda: self.is_said("from must not be above to"), "of the second parameter")
        self.assertTrue(self.many("#formula [aria-label=Parameter]")[1].find_element("css selector", ".mistake").is_displayed())
        self.parameter(1, "from", "1")
        self.write("name", "swirl")
        self.wait(lambda: self.is_said("kiln has a variation swirl"), "of the name")
        self.write("name", "mine")
        self.write("weight", "much")
        self.wait(lambda: self.mistakes() == ["is no number"], "of the weight")
        self.one("#formula [type=submit]").click()
        self.assertTrue(self.many("#formula[open]"), "it stays open while something is wrong")

    def test_closed_without_done_nothing_has_changed_and_what_was_typed_is_there_again(self):
        first = self.settled()
        self.begin()
        self.write("x", "x*r")
        self.settled(first)
        self.keys(Keys.ESCAPE)
        self.wait(lambda: self.hash() == first, "as it was")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())
        self.begin()
        self.assertEqual(self.part("x").get_attribute("value"), "x*r")
        self.one("#formula .question button").click()
        self.wait(lambda: "sin" in self.part("x").get_attribute("value"), "the example")

    def test_letters_are_no_commands_and_ctrl_z_is_that_of_the_letters(self):
        self.begin()
        self.write("x", "x + n")
        self.assertEqual(len(self.many(".chip")), 3, "no xform more")
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: "n" not in self.part("x").get_attribute("value")[4:], "the letter is gone")
        self.assertTrue(self.many("#formula[open]"))

    def test_columns_count_bytes(self):
        told = self.browser.execute_script(
            "return import(new URL('panel/mistakes.js', location.href).href).then(({placeOf}) =>"
            " [placeOf('x + q', 5), placeOf('x\\u00b7\\u00e9 + q', 9), placeOf('\\ud83d\\ude00 q', 6), placeOf('x +', 9)])")
        self.assertEqual(told, [4, 6, 3, 3])


class FormulasOfAFlame(FormulaTest):
    flames = [TWIRLED, OTHER, FLAME.format(name="third")]

    def test_another_name_goes_to_all_that_use_it(self):
        first = self.settled()
        self.begin("twirl")
        self.write("name", "whirl")
        self.parameter(0, "name", "turns")
        self.write("let", "c = cos(turns*r2); s = sin(turns*r2)")
        self.wait(lambda: not self.mistakes(), "it is a formula again")
        self.done("whirl_turns")
        self.assertEqual(self.value("whirl_turns"), 1.5)
        tree = self.assert_saved_is_shown("renamed")
        one, two = xforms_of(tree)[:2]
        self.assertEqual((one.get("whirl"), one.get("whirl_turns"), two.get("pre_whirl"), two.get("pre_whirl_turns")), ("0.8", "1.5", "0.3", "0.5"))
        self.assertNotIn("twirl", ET.tostring(tree, "unicode").replace("twirled", ""))
        self.assertEqual(self.settled(), first, "a name is no pixel")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.many("[data-field=twirl]"), "one step back")

    def test_removed_it_says_who_uses_it(self):
        before = self.settled()
        self.begin("twirl")
        self.one("//dialog[@id='formula']//button[text()='Remove']").click()
        self.assertIn("2 xforms use it", self.one("#formula .question").text)
        self.one("#formula .question button").click()
        self.settled(before)
        tree = self.assert_saved_is_shown("removed")
        self.assertEqual(tree.findall(".//variation"), [])
        self.assertNotIn("twirl", ET.tostring(tree, "unicode").replace("twirled", ""))
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == before, "one step of undo")

    def test_one_parameter_less(self):
        self.begin("twirl")
        self.many("#formula [aria-label=Parameter]")[1].find_element("css selector", "button").click()
        self.wait(lambda: self.keepable(), "it is read")
        self.done()
        formula = flame_of(self.assert_saved_is_shown("less")).find("variation")
        self.assertEqual([one.get("name") for one in formula], ["k"])

    def keepable(self):
        return not self.mistakes()

    def go(self, index):
        self.one(f"#flames option[value='{index}']").click()
        self.wait(lambda: self.one("#flames").get_attribute("value") == str(index), "another flame")
        self.keys(Keys.ESCAPE)
        return self.settled()

    def test_kept_as_mine_it_is_offered_for_every_flame(self):
        self.begin("twirl")
        keep = self.one("//dialog[@id='formula']//button[text()='Keep as mine']")
        keep.click()
        self.wait(lambda: keep.text == "Forget mine", "it is kept")
        path = self.view.path("kiln/formulas/twirl.flame")
        self.assertIn('let="c = cos(k*r2)', text_of(path))
        self.done()
        twirled = self.settled()
        self.go(2)
        first = self.settled(twirled)
        self.keys("v")
        self.wait(lambda: self.many(".option .glimpse[src][data-of=twirl]"), "it is in the list, with its picture")
        self.keep_picture("formula-mine-1440")
        self.keys("twirl", Keys.ENTER)
        self.wait(lambda: self.many("[data-field=twirl]"), "its field")
        self.assertEqual(self.value("twirl"), 1)
        self.settled(first)
        tree = self.assert_saved_is_shown("brought")
        self.assertEqual(flame_of(tree).find("variation").get("y"), "x*s + y*c")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == first, "one step of undo")
        self.go(1)
        self.keys("v")
        options = self.wait(lambda: (found := self.many(".option .glimpse[data-of^=twirl]")) and len(found) == 2 and found, "both")
        self.assertEqual([one.get_attribute("data-of") for one in options], ["twirl", "twirl_2"])
        self.keys("twirl_2")
        self.assertIn("this flame has another twirl", self.one(".option[aria-selected]").text)
        self.keys(Keys.ENTER)
        self.wait(lambda: "yours came as twirl_2" in self.one("#notice").text, "it says so")
        names = [one.get("name") for one in flame_of(self.assert_saved_is_shown("both")).findall("variation")]
        self.assertEqual(sorted(names), ["twirl", "twirl_2"])

    def test_another_of_that_name_is_asked_for(self):
        self.begin("twirl")
        self.one("//dialog[@id='formula']//button[text()='Keep as mine']").click()
        path = self.view.path("kiln/formulas/twirl.flame")
        self.wait(lambda: os.path.exists(path), "its file")
        self.write("y", "y")
        keep = self.wait(lambda: (found := self.many("#formula .row button:nth-child(3)")) and found[0].text == "Keep as mine" and found[0], "another one")
        keep.click()
        self.wait(lambda: "another twirl already" in self.one("#formula .question").text, "the question")
        self.assertIn("x*s + y*c", text_of(path))
        self.one("#formula .question button").click()
        self.wait(lambda: "x*s + y*c" not in text_of(path), "replaced")
        self.wait(lambda: keep.text == "Forget mine", "it is that one")
        keep.click()
        self.wait(lambda: not os.path.exists(path), "forgotten")


class FormulasOfAFilm(FormulaTest):
    flames = ["<flames>" + "".join(TWIRLED.replace("<flame ", f'<flame time="{time}" ', 1).replace("</flame>", more + "</flame>") for time, more in (
        (0, '<kiln_track xform="1" name="twirl_k"><key time="0" value="1"/><key time="20" value="2"/></kiln_track>'), (20, ""))) + "</flames>"]

    def keys_of(self, name):
        return ET.parse(self.save(name)).getroot().findall("flame")

    def test_what_is_typed_counts_for_all_keys_and_tracks_follow(self):
        self.wait(lambda: len(self.many("#timeline .key")) == 2, "a film")
        first = self.settled()
        self.begin("twirl")
        self.write("x", "x*c - y*s + 0.1")
        second = self.settled(first)
        self.write("name", "whirl")
        self.parameter(0, "name", "turns")
        self.write("let", "c = cos(turns*r2); s = sin(turns*r2)")
        self.wait(lambda: not self.mistakes(), "it is a formula again")
        self.done()
        self.wait(lambda: self.many("[data-field=whirl_turns]"), "the panel has it")
        self.assertEqual(self.settled(), second, "names are no pixels")
        keys = self.keys_of("all")
        self.assertEqual([key.find("variation").get("name") for key in keys], ["whirl"] * 2)
        self.assertEqual([key.find("variation").get("x") for key in keys], ["x*c - y*s + 0.1"] * 2)
        self.assertEqual([key.find("xform").get("whirl") for key in keys], ["0.8"] * 2)
        self.assertEqual(keys[0].find("kiln_track").get("name"), "whirl_turns")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == first, "one step of undo")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_closed_without_done_the_film_is_as_it_was(self):
        self.wait(lambda: len(self.many("#timeline .key")) == 2, "a film")
        first = self.settled()
        self.begin("twirl")
        self.write("y", "y")
        self.settled(first)
        self.many("#formula .end-picture")[3].click()
        self.wait(lambda: self.read("#formula .end-picture", "aria-pressed")[3] == "true", "a value is set")
        self.keys(Keys.ESCAPE)
        self.wait(lambda: self.hash() == first, "as it was")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())


class FormulasOfAFilmThatDiffer(FormulaTest):
    """One key has a formula more."""
    flames = ["<flames>" + "".join(TWIRLED.replace("<flame ", f'<flame time="{time}" ', 1).replace("  <xform", more + "  <xform", 1)
                                   for time, more in ((0, ""), (20, '  <variation name="whirl" x="y" y="x"/>\n'))) + "</flames>"]

    def test_a_name_that_another_key_has_is_refused_and_another_is_taken(self):
        self.wait(lambda: len(self.many("#timeline .key")) == 2, "a film")
        self.begin("twirl")
        self.write("name", "whirl")
        self.wait(lambda: "whirl is there already" in self.one("#formula .question").text, "what the film says")
        self.write("name", "twist")
        self.wait(lambda: not self.one("#formula .question").text and not self.mistakes(), "another name")
        self.settled()
        self.done("twist")
        keys = ET.parse(self.save("other")).getroot().findall("flame")
        self.assertEqual([sorted(one.get("name") for one in key.findall("variation")) for key in keys], [["twist"], ["twist", "whirl"]])


class FormulasOnAPhone(FormulaTest):
    size = (390, 844)
    touch = True
    flames = [TWIRLED]

    def test_the_editor_fits_and_the_picture_is_seen(self):
        self.begin("twirl")
        self.wait(lambda: len(self.many("#formula .end-picture img[src]")) == 4, "small pictures")
        self.keep_picture("formula-390")
        box, picture = self.one("#formula").rect, self.one("#frame").rect
        self.assertGreaterEqual(box["x"], 0)
        self.assertLessEqual(box["x"] + box["width"], 390)
        self.assertLess(picture["y"] + picture["height"], box["y"] + 1)
