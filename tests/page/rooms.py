# SPDX-License-Identifier: MIT
"""Two pages of the panel beside each other, and workspaces that are as they were left."""
from hand import ActionChains, Keys, PageTest

COLORS = ((0, 0, 0), (0, 0, 255), (120, 0, 0), (255, 255, 255), (0, 120, 0))
COLORFUL = ('<flame name="colors" size="160 90" scale="30" quality="5" brightness="5">' +
            "".join(f'<xform weight="1" color="{i / 4}" linear="1" coefs="0.4 0 0 0.4 {i / 2 - 1} 0"/>' for i in range(5)) +
            '<palette count="5" format="RGB">' + "".join("%02X%02X%02X" % color for color in COLORS) + "</palette></flame>")

# The contrast of each word of a chip with what it stands on, as WCAG has it; what is see-through lies on the panel.
CONTRASTS = r"""const rgba = text => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
const over = ([r, g, b, a], ground) => [r, g, b].map((one, i) => one * a + ground[i] * (1 - a));
const light = color => color.map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, i) => sum + [0.2126, 0.7152, 0.0722][i] * one, 0);
const panel = over(rgba(getComputedStyle(document.getElementById('panel')).backgroundColor), [0, 0, 0]);
return [...document.querySelectorAll('.chip')].flatMap(chip => [...chip.querySelectorAll('span, i[data-part=alone]')]
    .filter(word => word.checkVisibility()).map(word => {
  const style = getComputedStyle(chip), opacity = Number(style.opacity);
  const ground = over(rgba(style.backgroundColor), panel), ink = over(rgba(getComputedStyle(word).color), ground);
  const [low, high] = [ground, ink].map(one => light(over([...one, opacity], panel))).sort((a, b) => a - b);
  return [chip.className + ' ' + chip.getAttribute('aria-label'), (high + 0.05) / (low + 0.05)];
}));"""


class TwoPages(PageTest):
    size = (1920, 1080)
    options = ["--palettes", PageTest.palettes]

    def shown(self):
        return [name for name in ("Xforms", "Palette", "Look", "Camera", "Flame", "Steps") if self.one(f"#page-{name}").is_displayed()]

    def test_two_pages_beside_each_other(self):
        first = self.settled()
        self.assertEqual(self.shown(), ["Xforms"])
        self.keys("|")
        self.assertEqual(self.shown(), ["Xforms", "Palette"])
        left, right = self.one("#page-Xforms").rect, self.one("#page-Palette").rect
        self.assertGreater(left["width"], 290)
        self.assertLessEqual(left["x"] + left["width"], right["x"] + 1)
        self.assertEqual(left["y"], right["y"])
        self.keep_picture("two-pages")
        self.one("#tab-Look").click()
        self.assertEqual(self.shown(), ["Xforms", "Look"])
        self.one("#tab-Xforms").click()
        self.assertEqual(self.shown(), ["Xforms", "Look"], "it is there already")
        self.field("gamma").click()
        self.keys("2.2", Keys.ENTER)
        second = self.settled(first)
        self.field("weight").click()
        self.keys("3", Keys.ENTER, Keys.ESCAPE)
        self.settled(second)
        self.open()
        self.assertEqual(self.shown(), ["Xforms", "Look"], "as it was left")
        self.cdp("Emulation.setDeviceMetricsOverride", width=900, height=700, deviceScaleFactor=1, mobile=False)
        self.assertEqual(self.shown(), ["Look"], "there is no room for two")
        self.one("#tab-Xforms").click()
        self.assertEqual(self.shown(), ["Xforms"])
        self.cdp("Emulation.setDeviceMetricsOverride", width=1920, height=1080, deviceScaleFactor=1, mobile=False)
        self.one("#tab-Camera").click()
        self.assertEqual(self.shown(), ["Xforms", "Camera"])
        self.keys("|")
        self.assertEqual(self.shown(), ["Camera"])
        self.one("#tab-Camera").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.shown(), ["Flame"])

    def enter(self, name):
        self.keys(Keys.ESCAPE, "/")
        self.keys(f"workspace: {name}", Keys.ENTER)

    def triangles(self):
        return self.read("[data-does=triangles]", "aria-pressed")[0] == "true"

    def test_workspaces_are_as_they_were_left(self):
        self.assertTrue(self.one("#rooms").is_displayed())
        self.enter("color")
        self.assertEqual(self.shown(), ["Palette", "Look"])
        self.assertFalse(self.triangles())
        self.enter("film")
        self.assertTrue(self.one("#timeline").is_displayed())
        self.assertEqual((self.shown(), self.triangles()), (["Xforms"], True))
        self.keep_picture("workspace-film")
        self.enter("color")
        self.assertFalse(self.one("#timeline").is_displayed())
        self.one("#tab-Camera").click()
        self.keys("t")
        self.enter("shape")
        self.assertEqual(self.shown(), ["Xforms"])
        self.open()
        self.assertEqual(self.read("#rooms", "aria-label"), ["Workspace"])
        self.assertEqual(self.browser.execute_script("return document.getElementById('rooms').value"), "Shape")
        self.enter("color")
        self.assertEqual((self.shown(), self.triangles()), (["Palette", "Camera"], True), "as it was left")
        self.keep_picture("workspace-color")


class ChipParts(PageTest):
    def test_an_eye_and_solo_in_the_chip(self):
        first = self.settled()
        self.keys("2")
        self.assertEqual([one.is_displayed() for one in self.many(".chip i[data-part=eye]")], [False, True, False], "of the chosen one")
        self.keep_picture("chip-parts")
        ActionChains(self.browser).key_down(Keys.SHIFT).click(self.many(".chip i[data-part=eye]")[1]).key_up(Keys.SHIFT).perform()
        self.assertNotIn("muted", " ".join(self.read(".chip", "aria-label")), "Shift chooses with others, there as well")
        self.many(".chip i[data-part=eye]")[1].click()
        second = self.settled(first)
        self.assertIn("muted", self.read(".chip", "aria-label")[1])
        self.assertEqual([chip.text.strip() for chip in self.many(".chip span")], ["1", "2", "3"])
        self.many(".chip i[data-part=eye]")[1].click()
        self.assertEqual(self.settled(second), first)
        self.many(".chip i[data-part=alone]")[1].click()
        self.settled(first)
        self.assertEqual(["muted" in says for says in self.read(".chip", "aria-label")], [True, False, True])
        self.keys("z")
        self.wait(lambda: self.hash() == first, "one step")
        self.keys("0")
        self.assertEqual(len(self.many(".chip i[data-part=alone]")), 3, "the final one is never alone")
        self.keys("1")
        self.many(".chip")[2].click()
        self.assertEqual(self.chosen(), [2])


class ReadableChips(PageTest):
    flames = [COLORFUL]

    def assert_read(self, says):
        for chip, contrast in self.browser.execute_script(CONTRASTS):
            self.assertGreaterEqual(contrast, 4.5, f"{says}: {chip}")

    def test_every_chip_in_every_state(self):
        self.keys("0")
        for i in range(5):
            self.many(".chip")[i].click()
            self.assert_read("chosen, under the mouse")
            self.keys("h")
            self.assert_read("muted")
            ActionChains(self.browser).move_to_element(self.one("#stage")).perform()
            self.assert_read("muted, without the mouse")
        self.keep_picture("chips-muted")
        self.keys("a")
        self.assert_read("beside the chosen one")
