# SPDX-License-Identifier: MIT
"""Where things lie: buttons on a phone, triangles under the hand, triangles of a camera with depth."""
from hand import Keys, PageTest


class Phone(PageTest):
    size = (390, 844)
    touch = True

    def test_nothing_is_outside_of_the_screen(self):
        for width, height in ((390, 844), (360, 640), (844, 390)):
            self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
            self.wait(lambda: self.browser.execute_script("return innerWidth") == width, "the size")
            for button in self.many("#bar button, #bar select:not(#rooms), #tabs button, .chip"):
                place = button.rect
                name = button.get_attribute("data-does") or button.accessible_name
                if name in ("previous", "next") and width > height:
                    continue  # the list between them is there
                self.assertTrue(button.is_displayed(), name)
                self.assertLessEqual(place["x"] + place["width"], width, f"{name} at {width} x {height}")
                self.assertGreaterEqual(place["x"], 0, name)
                self.assertGreaterEqual(min(place["width"], place["height"]), 44, f"{name} is small")
            under = self.browser.execute_script("""return [...document.querySelectorAll('#bar button, #tabs button')].filter(one => {
                const {x, y, width, height} = one.getBoundingClientRect();
                return width && [0.25, 0.5, 0.75].some(share => !one.contains(document.elementFromPoint(x + width / 2, y + height * share)));
              }).map(one => one.dataset.does ?? one.textContent);""")
            self.assertEqual(under, [], f"under something else at {width} x {height}")
            if width > height:
                self.assertLess(self.one("#bar").size["height"], 60, "one row")
            self.assertGreater(self.one("#frame").size["width"], 150, "the picture is left room")
            self.keep_picture(f"phone-{width}")

    def test_saved_by_a_finger(self):
        spot = self.one("[data-does=save]").rect
        touch = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[touch])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.wait(lambda: self.many("#save[open]"), "the dialog")
        self.keep_picture("phone-save")


class Pinch(PageTest):
    size = (390, 844)
    touch = True

    def test_two_fingers_on_triangles_move_the_camera(self):
        first = self.settled()
        spot = self.one("#overlay .chosen circle[data-part=o]").rect
        x, y = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
        points = lambda off: [{"x": x, "y": y, "id": 0}, {"x": x + off, "y": y - 20, "id": 1}]
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(40)[:1])
        self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + 12, "y": y, "id": 0}])
        self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(40)[:1])
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(40))
        for i in range(1, 6):
            self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(40 + 12 * i))
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settled(first)
        c, f = self.browser.execute_script("return ['c', 'f'].map(name => +document.querySelector(`[data-field=${name}]`).ariaValueNow)")
        self.assertEqual((c, f), (-0.4, 0.1), "the triangle stays")
        self.keys("f")
        self.assertGreater(self.value("scale"), 100, "the camera comes closer")


class Lying(PageTest):
    """A phone that lies: the picture keeps its room."""
    size = (844, 390)
    touch = True

    def test_mutations_and_timeline_leave_a_picture(self):
        for opens in ("m", "T"):
            self.keys(opens)
            self.settled()
            self.keep_picture(f"lying-{opens}")
            self.assertGreater(self.one("#frame").size["width"], 150, opens)
            self.keys(opens)

    def test_a_film_leaves_a_picture_and_its_buttons_are_over_it(self):
        self.keys("T")
        self.one("#timeline-make-loop").click()
        self.wait(lambda: self.many("#timeline .key"), "a film")
        self.settled()
        self.keep_picture("lying-film")
        self.assertGreater(self.one("#frame").size["height"], 60, "the picture is seen")
        self.one("#timeline-export").click()
        self.wait(lambda: self.many("#export[open]"), "the dialog: nothing lies over its button")

    def test_the_wall_is_not_under_its_head(self):
        self.keys("b")
        tile = self.wait(lambda: self.many("#wall .tile"), "the wall")[0]
        self.keep_picture("lying-wall")
        head, close = self.one("#wall header").rect, self.one("#wall [data-role=close]").rect
        self.assertGreaterEqual(tile.rect["y"], head["y"] + head["height"] - 1)
        self.assertLess(head["height"], 70, "one row")
        self.assertGreater(close["y"], 0)


class Targets(PageTest):
    def at(self, xform, *weights):
        """A point of the screen by weights of the corners O, X and Y of a triangle."""
        return self.browser.execute_script("""
            const points = document.querySelectorAll(`#overlay .affine[data-xform="${arguments[0]}"] polygon`)[0].points;
            const {left, top} = document.getElementById('overlay').getBoundingClientRect(), weights = arguments[1];
            const sum = name => weights.reduce((all, weight, i) => all + weight * points[i][name], 0);
            return [left + sum('x'), top + sum('y')];""", xform, weights)

    def click_at(self, x, y, dx=0, dy=0):
        for kind, (a, b) in (("mousePressed", (x, y)), ("mouseMoved", (x + dx, y + dy)), ("mouseReleased", (x + dx, y + dy))):
            self.cdp("Input.dispatchMouseEvent", type=kind, x=a, y=b, button="left", buttons=1, clickCount=1)

    def test_a_click_inside_chooses_the_nearest(self):
        first = self.settled()
        for xform in (1, 2, 0):
            self.click_at(*self.at(xform, 0.34, 0.33, 0.33))
            self.assertEqual(self.chosen(), [xform])
        self.assertEqual(self.hash(), first, "a click is no edit")

    def test_a_drag_inside_of_another_is_the_camera(self):
        first, c = self.settled(), self.value("c")
        x, y = self.at(2, 0.3, 0.2, 0.5)
        self.click_at(x, y, 40, 20)
        self.settled(first)
        self.assertEqual((self.chosen(), self.value("c")), ([0], c))

    def test_a_line_is_taken_from_beside(self):
        first = self.settled()
        x, y = self.at(1, 0.5, 0.5, 0)
        end, begin = self.at(1, 0, 1, 0), self.at(1, 1, 0, 0)
        length = ((end[0] - begin[0]) ** 2 + (end[1] - begin[1]) ** 2) ** 0.5
        off = 5 * (end[1] - begin[1]) / length, -5 * (end[0] - begin[0]) / length  # five pixels outside
        self.click_at(x + off[0], y + off[1], 30, 10)
        self.settled(first)
        self.assertEqual(self.chosen(), [1])
        self.assertGreater(self.value("c"), 0.61)


# All light lies in small spots at the points O, which are so small that nothing else shines.
SPOTS = """<flame name="spots" size="320 180" center="0 0" scale="60" quality="50" brightness="9" gamma="3" background="0 0 0"
  cam_pitch="0.7" cam_yaw="0.5" cam_persp="0.25" cam_zpos="0.3">
  <xform weight="1" color="0" linear="1" coefs="0.01 0 0 0.01 1.2 0.7"/>
  <xform weight="1" color="1" linear="1" coefs="0.01 0 0 0.01 -1 -0.6"/>
  <color index="0" rgb="250 160 60"/><color index="255" rgb="160 220 250"/>
</flame>
"""


class Depth(PageTest):
    flames = [SPOTS]

    def light_at_o(self):
        """Of each triangle the brightest of the pixels around its O."""
        return self.browser.execute_script("""
            const canvas = document.getElementById('picture'), frame = document.getElementById('frame').getBoundingClientRect();
            return [...document.querySelectorAll('#overlay .affine')].map(group => {
              const spot = group.querySelector('circle.dot.o').getBoundingClientRect();
              const x = (spot.x + spot.width / 2 - frame.x) / frame.width * canvas.width;
              const y = (spot.y + spot.height / 2 - frame.y) / frame.height * canvas.height;
              const {data} = canvas.getContext('2d').getImageData(x - 3, y - 3, 7, 7);
              return Math.max(...data.filter((_, i) => i % 4 !== 3));
            });""")

    def test_triangles_lie_where_the_camera_sees_them(self):
        self.assertGreater(min(self.light_at_o()), 100)
        first = self.settled()
        before = self.one("#overlay .chosen circle.dot.o").rect
        self.keys(*[Keys.ARROW_LEFT] * 6, *[Keys.ARROW_DOWN] * 3)  # ten pixels each
        self.settled(first)
        after = self.one("#overlay .chosen circle.dot.o").rect
        self.assertAlmostEqual(after["x"], before["x"] - 60, delta=2)
        self.assertAlmostEqual(after["y"], before["y"] + 30, delta=2)
        self.assertGreater(min(self.light_at_o()), 100, "the light follows the hand")
        self.chord(Keys.SHIFT, Keys.ARROW_RIGHT)  # the camera
        self.wait(lambda: min(self.light_at_o()) > 100, "the light stays under the triangles")
