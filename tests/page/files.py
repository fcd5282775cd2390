# SPDX-License-Identifier: MIT
"""Files on the page: opened, dropped, pasted, looked at as a wall, kept when the program ends, rendered."""
import filecmp
import os
import pathlib
import signal
import struct
import subprocess
import xml.etree.ElementTree as ET

from hand import FLAME, PASTE, SECONDS, Keys, PageTest, given, text_of, xforms_of


def flame_named(name, c="-0.4"):
    return FLAME.format(name=name).replace("0.3 -0.4 0.1", f"0.3 {c} 0.1")


class Files(PageTest):
    """What the tests below have in common."""

    def write(self, name, text):
        path = self.view.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def names(self):
        return [option.text for option in self.many("#flames option")]

    def wait_for_name(self, name, says):
        self.wait(lambda: self.browser.title == f"{name} - kiln", says)

    def entries(self):
        return self.browser.execute_script("return [...document.querySelectorAll('#open .option:not(.recent) b')].map(one => one.textContent)")

    def ask(self, message, wanted):
        """What another socket of this page is answered, by the type of the answer."""
        return self.browser.execute_async_script("""
            const [message, wanted, done] = arguments;
            const socket = new WebSocket(location.href.replace('http', 'ws').replace('/?', '/live?'));
            socket.binaryType = 'arraybuffer';
            socket.onopen = () => socket.send(JSON.stringify(message));
            socket.onmessage = ({data}) => {
              const answer = typeof data === 'string' ? JSON.parse(data) : {};
              if (answer.type === wanted) { socket.close(); done(answer); }
            };""", message, wanted)

    def another_page(self):
        """A second tab at the same program; gives the first one's handle."""
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.addCleanup(self.close_tab, self.browser.current_window_handle, first)
        self.browser.get(self.view.address)
        self.settled()
        return first

    def close_tab(self, tab, other):
        self.browser.switch_to.window(tab)
        self.browser.close()
        self.browser.switch_to.window(other)


class Opening(Files):
    def test_a_file_of_the_folder_is_opened_and_is_recent(self):
        first = self.settled()
        self.write("packs/two.flam3", f"<flames>{flame_named('one', '-0.2')}{flame_named('other', '0.3')}</flames>")
        self.write("packs/notes.txt", "no flame")
        self.chord(Keys.CONTROL, "o")
        self.wait(lambda: "packs/" in self.entries(), "the folder")
        self.keys("packs", Keys.ENTER)
        self.wait(lambda: self.entries() == ["two.flam3"], "its file")
        self.keep_picture("open")
        self.keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.wait(lambda: self.names() == ["rose", "one", "other"], "its flames")
        self.wait(lambda: self.many("#wall:not([hidden])"), "the wall of them")
        self.keys(Keys.ESCAPE)
        self.wait_for_name("one", "the first of them")
        self.settled(first)
        self.assert_saved_is_shown("opened")
        self.keys(Keys.ESCAPE)
        self.chord(Keys.CONTROL, "o")
        self.wait(lambda: self.many("#open .recent"), "what was opened before")
        self.one("//*[contains(@class, 'recent')][contains(., 'two.flam3')]").click()
        self.wait(lambda: self.names()[3:] == ["one", "other"], "the same flames again")

    def test_only_what_is_below_the_folder_is_opened(self):
        outside = os.path.join(os.path.dirname(self.view.folder), os.path.basename(self.view.folder) + ".flam3")
        with open(outside, "w") as file:
            file.write(flame_named("outside"))
        self.addCleanup(os.remove, outside)
        os.symlink(outside, self.view.path("link.flam3"))
        for path in (outside, "../" + os.path.basename(outside), "packs/../../" + os.path.basename(outside), "link.flam3"):
            answer = self.ask({"type": "open", "path": path}, "message")
            self.assertIn("not below the folder", answer["text"], path)
        for folder in ("..", "/", "a/../.."):
            self.assertIn("not below the folder", self.ask({"type": "files", "folder": folder}, "message")["text"], folder)
        self.assertEqual(self.names(), ["rose"])

    def test_a_file_of_the_browsers_machine(self):
        path = self.write("elsewhere/sent.flame", flame_named("sent", "0.25"))
        self.chord(Keys.CONTROL, "o")
        self.one("#open-file").send_keys(path)
        self.wait_for_name("sent", "the flame that was sent")
        self.assertEqual(self.value("c"), 0.25)

    def test_what_is_no_flame_is_said(self):
        self.write("bad.flam3", "<flame><xform/></flame>")
        self.chord(Keys.CONTROL, "o")
        self.wait(lambda: "bad.flam3" in self.entries(), "the file")
        self.keys("bad", Keys.ENTER)
        self.wait(lambda: "bad.flam3" in self.one("#open .question").text, "what is wrong with it")
        self.assertEqual(self.names(), ["rose"])

    def drop(self, path):
        drop = dict(x=400, y=300, data={"items": [], "files": [path], "dragOperationsMask": 1})
        for kind in ("dragEnter", "dragOver", "drop"):
            self.cdp("Input.dispatchDragEvent", type=kind, **drop)
        self.wait(lambda: self.many("#bring[open]"), "the question")

    def test_a_picture_of_kiln_is_dropped(self):
        first = self.settled()
        path = self.write("elsewhere/drawn.flam3", flame_named("drawn", "0.125").replace('size="320 180"', 'size="900 600"'))
        subprocess.run([given.kiln, "render", path, "-o", path + ".png", "-q"], check=True, stdout=subprocess.DEVNULL)
        self.drop(path + ".png")
        self.keep_picture("bring")
        self.keys(Keys.ENTER)
        self.wait_for_name("drawn", "the flame of the picture")
        self.settled(first)
        self.assertEqual(self.names(), ["rose", "drawn"])
        self.assertEqual(self.value("c"), 0.125)
        path = self.write("elsewhere/small.flam3", flame_named("small", "0.25"))
        subprocess.run([given.kiln, "render", path, "-o", path + ".jpg", "-q"], check=True, stdout=subprocess.DEVNULL)
        self.drop(path + ".jpg")
        self.keys(Keys.ENTER)
        self.wait_for_name("small", "the flame of the JPEG")
        self.assertEqual(self.value("c"), 0.25)

    def test_dialogs_say_that_nobody_answers(self):
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.chord(Keys.CONTROL, "o")
        self.assertIn("does not answer", self.one("#open .question").text)
        self.keys(Keys.ESCAPE)
        self.wait(lambda: not self.many("#open[open]"), "its end")
        self.keys("R")
        self.wait(lambda: self.many("#render[open]"), "the dialog")
        self.keys(Keys.ENTER)
        self.wait(lambda: "does not answer" in self.one("#render .question").text, "a word")
        self.forget_console()

    def test_a_photograph_that_is_dropped_gives_its_colors(self):
        first = self.settled()
        self.keys("c")
        photo = self.view.path("red.bmp")
        with open(photo, "wb") as file:  # 2 x 1 pixels
            file.write(struct.pack("<2sIIIIiiHHIIiiII", b"BM", 62, 0, 54, 40, 2, 1, 1, 24, 0, 8, 0, 0, 0, 0) + bytes([16, 16, 160, 40, 90, 220, 0, 0]))
        self.drop(photo)
        self.assertEqual([button.text for button in self.many("#bring .row button") if button.is_displayed()], ["Take its colors", "Cancel"])
        self.keys(Keys.ENTER)
        self.settled(first)
        self.assertEqual(self.one("#notice").text, "")

    def test_a_large_pack_comes_in_parts(self):
        text = "<flames>" + "".join(flame_named(f"f{i}") + "<!--" + "x" * 40000 + "-->" for i in range(100)) + "</flames>"
        self.assertGreater(len(text), 3 << 20)
        self.drop(self.write("elsewhere/pack.flam3", text))
        self.keys(Keys.ENTER)
        self.wait(lambda: len(self.names()) == 101, "all of its flames")

    def test_copy_and_paste(self):
        first = self.settled()
        self.one("#stage").send_keys("")
        self.chord(Keys.CONTROL, "c")
        self.wait(lambda: "copied" in self.one("#notice").text, "a word")
        self.type_into("c", "0.5", Keys.ENTER, Keys.ESCAPE)
        second = self.settled(first)
        self.chord(Keys.CONTROL, "v")
        self.wait(lambda: self.many("#bring[open]"), "the question")
        self.one("#bring .row button:nth-child(2)").click()  # in place of this flame
        self.assertEqual(self.settled(second), first)
        self.assertEqual(len(self.names()), 1)
        self.keys("z")
        self.assertEqual(self.settled(first), second)
        self.chord(Keys.CONTROL, "v")
        self.wait(lambda: self.many("#bring[open]"), "the question")
        self.keys(Keys.ENTER)
        self.wait(lambda: len(self.names()) == 2, "a flame more")
        self.assertEqual(self.settled(second), first)

    def test_text_of_forums_and_packs_is_pasted(self):
        flame = flame_named("found", "0.125")
        fence = "`" * 3
        texts = [f"<!-- the law of a conch <flame> -->\n{flame}", f'<Flames name="pack">\n{flame}</Flames>',
                 f'<?xml version="1.0"?><!DOCTYPE flames>\n<flames>{flame}</flames>', f"Look at this:\n{fence}xml\n{flame}{fence}\nby me",
                 flame.replace("<flame ", "<Flame ").replace("</flame>", "</Flame>")]
        for count, text in enumerate(texts, 2):
            self.browser.execute_script(PASTE, text)
            self.wait(lambda: self.many("#bring[open]"), text[:30])
            self.keys(Keys.ENTER)
            self.wait(lambda: len(self.names()) == count and self.names()[-1] == "found", text[:30])
        self.browser.execute_script(PASTE, "words about a flame")
        self.wait(lambda: "is not a flame" in self.one("#notice").text, "a word")

    def test_the_flame_is_copied_after_a_number_was_typed(self):
        first = self.settled()
        self.type_into("c", "0.5", Keys.ENTER, Keys.ESCAPE)
        self.settled(first)
        self.chord(Keys.CONTROL, "c")
        self.wait(lambda: "copied" in self.one("#notice").text, "a word")

    def test_a_field_is_pasted_into_as_ever(self):
        self.one("#stage").send_keys("")
        self.chord(Keys.CONTROL, "c")
        self.keys("l")
        self.field("gamma").click()
        self.chord(Keys.CONTROL, "v")
        self.assertEqual(self.many("#bring[open]"), [])
        self.keys(Keys.ESCAPE)

    def test_a_new_flame(self):
        first = self.settled()
        self.keys("N")
        self.settled(first)
        self.wait(lambda: len(self.names()) == 2 and self.names()[1].startswith("random-"), "a flame by chance")
        self.assertFalse(self.one("[data-does=undo]").is_enabled(), "there is nothing before it")
        self.keys(Keys.PAGE_UP)
        self.assertEqual(self.settled(self.hash()), first)

    def test_download(self):
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.view.folder)
        self.keys("s")
        self.one("//dialog[@id='save']//button[.='Download']").click()
        path = self.view.path("rose.flam3")
        self.wait(lambda: os.path.exists(path), "the file")
        self.assertEqual(self.rendered_hash(path), self.settled())

    def test_for_flam3(self):
        self.settled()
        self.keys("s")
        self.keys("plain")
        self.one("//dialog[@id='save']//button[.='For flam3']").click()
        self.wait(lambda: self.one("#notice").text == "saved plain.flam3", "it says all")
        self.keys("l")
        self.type_into("kiln_clean", "1", Keys.ENTER, Keys.ESCAPE)
        self.settled()
        self.keys("s")
        self.keys("plain")
        self.one("//dialog[@id='save']//button[.='For flam3']").click()
        self.wait(lambda: "exists already" in self.one("#save .question").text, "a question")
        self.keys(Keys.ENTER)
        self.wait(lambda: "setting kiln_clean" in self.one("#notice").text, "what it does not say")
        self.assertNotIn("kiln_clean", pathlib.Path(self.view.path("plain.flam3")).read_text())
        self.assertIn("\u2022", self.one("#flames option").get_attribute("textContent"), "the edit is in no file of kiln's")


PACK = "<flames>" + "".join(flame_named(f"pack-{i}", str(-0.4 + 0.003 * i)) for i in range(200)) + "</flames>"


class Wall(Files):
    flames = [PACK]

    def pictured(self):
        return self.browser.execute_script("return [...document.querySelectorAll('#wall .tile')].filter(tile =>"
                                           " tile.firstChild.naturalWidth > 0).map(tile => Number(tile.dataset.index))")

    def shown(self):
        return self.browser.execute_script("return [...document.querySelectorAll('#wall .tile span')].map(one => one.textContent)")

    def test_a_pack_of_200(self):
        self.settled()
        self.keys("b")
        self.wait(lambda: set(range(12)) <= set(self.pictured()), "the first pictures")
        self.keep_picture("wall" if not self.touch else "wall-phone")
        self.assertLess(len(self.pictured()), 150, "only those in sight are made")
        self.keys(Keys.END)
        self.wait(lambda: {198, 199} <= set(self.pictured()), "the last pictures")
        self.keys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        self.wait_for_name("pack-2", "the third flame")
        self.assertEqual(self.many("#wall:not([hidden])"), [])

    def test_the_live_picture_goes_on_beside_the_wall(self):
        first = self.settled()
        self.keys("b")
        self.wait(lambda: self.pictured(), "a picture")
        self.keys(Keys.ESCAPE, Keys.ARROW_RIGHT)
        self.settled(first)

    def test_search_by_what_is_inside(self):
        self.keys("b")
        self.wait(lambda: len(self.shown()) > 1, "the wall")
        self.keys("/", "eyefish")
        self.wait(lambda: self.shown() == [], "none has it")
        self.keys(*[Keys.BACKSPACE] * 7, "bubble 320x180")
        self.wait(lambda: len(self.shown()) > 1, "all have it")

    def test_search_and_order(self):
        self.keys("b", "/", "pack 19")
        self.wait(lambda: len(self.shown()) == 12, "those with both words")
        self.one("#wall .segments [data-value=name]").click()
        self.one("#wall-search").click()
        self.assertEqual(self.shown()[:3], ["pack-19", "pack-119", "pack-190"])
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
        self.wait_for_name("pack-119", "the second one found")

    def test_an_edited_flame_has_its_mark_and_its_new_picture(self):
        self.keys("b")
        picture = "return document.querySelector('#wall .tile').firstChild.src"
        self.wait(lambda: self.pictured()[:1] == [0], "its picture")
        before = self.browser.execute_script(picture)
        self.keys(Keys.ESCAPE, Keys.ARROW_RIGHT)
        self.wait_for_name("• pack-0", "the mark")
        self.keys("b")
        self.wait(lambda: self.shown()[0] == "• pack-0", "the mark")
        self.wait(lambda: self.browser.execute_script(picture) != before, "another picture")
        self.keys(Keys.ESCAPE)


class Phone(Wall):
    size = (390, 844)
    touch = True

    def test_dialogs_fit(self):
        for key, name in (("R", "render"), (None, "open"), ("s", "save")):
            if key:
                self.keys(key)
            else:
                self.click("open")
            self.keep_picture(f"{name}-phone")
            box = self.one(f"#{name}").rect
            self.assertGreaterEqual(box["x"], 0)
            self.assertLessEqual(box["x"] + box["width"], 390)
            inner = self.browser.execute_script("return Math.max(...[...document.querySelectorAll('dialog[open] *')]"
                                                ".map(one => one.getBoundingClientRect().right))")
            self.assertLessEqual(inner, 391, name)
            self.keys(Keys.ESCAPE)


class Tabs(Files):
    flames = [FLAME.format(name="first"), flame_named("second", "0.1")]

    def test_each_page_looks_at_its_own_flame(self):
        shown = self.settled()
        first = self.another_page()
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("second", "the second flame")
        second = self.settled(shown)
        self.keys(Keys.ARROW_RIGHT)
        self.settled(second)
        self.browser.switch_to.window(first)
        self.assertEqual(self.browser.title, "first - kiln")
        self.assertEqual(self.settled(), shown)
        self.wait(lambda: self.names() == ["first", "• second"], "the mark of what the other page did")

    def test_pages_at_one_flame_see_each_others_edits(self):
        self.settled()
        first = self.another_page()
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("second", "the second flame")
        self.browser.switch_to.window(first)
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("second", "the second flame here")
        self.type_into("c", "0.75", Keys.ENTER, Keys.ESCAPE)
        here = self.settled(self.hash())
        other = [tab for tab in self.browser.window_handles if tab != first][-1]
        self.browser.switch_to.window(other)
        self.wait(lambda: self.value("c") == 0.75, "the edit")
        self.wait(lambda: self.hash() == here, "its picture")

    def test_a_reload_comes_back_to_its_flame(self):
        self.another_page()
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("second", "the second flame")
        self.browser.refresh()
        self.wait_for_name("second", "the second flame again")


class Kept(Files):
    flames = [FLAME.format(name="conch")]

    def crash(self):
        self.settled()
        self.type_into("c", "0.625", Keys.ENTER, Keys.ESCAPE)
        edited = self.settled(self.hash())
        self.wait(lambda: len(self.kept_files()) == 1, "the file that keeps it")
        self.die_and_start_anew()
        return edited

    def test_edits_are_offered_after_a_crash_and_taken(self):
        edited = self.crash()
        self.assertRegex(self.one("#offer").text, r"Unsaved edits of conch from \d")
        self.keep_picture("offer")
        self.one("#offer .first").click()
        self.wait(lambda: self.names() == ["conch", "• conch"], "the flame with its mark")
        self.wait(lambda: self.hash() == edited, "the picture before")
        self.assertFalse(self.one("#offer").is_displayed())
        self.wait(lambda: len(self.kept_files()) == 1, "it is kept on, by this run")

    def thrown(self):
        folder = self.view.path("kiln/thrown")
        return os.listdir(folder) if os.path.isdir(folder) else []

    def press(self, says):
        self.one(f"//dialog[@id='lost']//button[starts-with(., '{says}')]").click()

    def test_some_edits_are_thrown_away_and_stay_in_a_folder(self):
        self.crash()
        self.type_into("c", "0.375", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: len(self.kept_files()) == 2, "those of this run, too")
        self.die_and_start_anew()
        self.one("//div[@id='offer']//button[starts-with(., 'Look')]").click()
        tiles = self.wait(lambda: len(tiles := self.many("#lost .tile")) == 2 and tiles, "both of them")
        self.wait(lambda: all(self.read("#lost .tile img", "src")), "their pictures")
        self.assertRegex(tiles[0].text, r"conch\n\d.*\nin0.flam3")
        self.assertFalse(self.one("#lost .first").is_enabled(), "nothing is chosen")
        self.keep_picture("lost")
        tiles[0].click()
        self.press("Throw away 1 flame")
        self.wait(lambda: len(self.kept_files()) == 1, "one file goes")
        self.wait(lambda: len(self.many("#lost .tile")) == 1, "and its picture")
        self.assertEqual(len(self.thrown()), 1)
        self.assertIn("30 days", self.one("#notice").text)
        self.one("#lost .tile").click()
        self.press("Take 1 flame")
        self.wait(lambda: self.names() == ["conch", "• conch"], "the other one")
        self.wait(lambda: not self.one("#offer").is_displayed(), "nothing is offered any more, which is told after the flames")
        self.assertFalse(self.one("#lost").is_displayed())

    def test_it_is_said_that_edits_cannot_be_kept(self):
        os.makedirs(self.view.path("kiln"), exist_ok=True)
        with open(self.view.path("kiln/edits"), "w") as file:
            file.write("no folder")
        self.type_into("c", "0.625", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: "cannot be kept" in self.one("#notice").text, "a word")
        self.assertTrue(self.one("#unkept").is_displayed())
        self.keep_picture("unkept")
        os.remove(self.view.path("kiln/edits"))
        self.wait(lambda: not self.one("#unkept").is_displayed(), "it is tried again")
        self.assertEqual(len(self.kept_files()), 1)

    def test_what_is_saved_is_not_kept(self):
        self.type_into("c", "0.625", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: self.kept_files(), "the file that keeps it")
        self.save("mine")
        self.wait(lambda: not self.kept_files(), "the file goes")

    def test_the_terminal_says_where_unsaved_edits_are(self):
        self.settled()
        self.type_into("c", "0.625", Keys.ENTER, Keys.ESCAPE)
        self.wait_for_name("• conch", "the mark")
        self.view.process.send_signal(signal.SIGINT)
        self.assertEqual(self.view.process.wait(SECONDS), 130)
        said = text_of(self.view.path("err"))
        self.assertIn("unsaved edits of conch are kept in ", said)
        [kept] = self.kept_files()
        self.assertIn(os.path.dirname(kept), said)
        self.assertEqual(xforms_of(ET.parse(kept).getroot())[0].get("coefs").split()[4], "0.625")
        self.forget_console()

    def test_the_terminal_says_nothing_where_nothing_is_lost(self):
        self.settled()
        self.view.process.send_signal(signal.SIGINT)
        self.assertEqual(self.view.process.wait(SECONDS), 130)
        self.assertEqual(text_of(self.view.path("err")), "")
        self.assertFalse(os.path.exists(self.view.path("kiln/edits")) and os.listdir(self.view.path("kiln/edits")))
        self.forget_console()


class Chance(Files):
    flames = []
    options = ["--size", "320x180", "--quality", "10"]

    def seed(self):
        return self.wait(lambda: self.one("#gallery .seed").get_attribute("textContent"), "the seed")

    def test_without_a_file_there_is_a_wall_of_flames_by_chance(self):
        self.wait(lambda: len(self.many("#gallery .tile:not(:disabled)")) == 12, "twelve flames")
        before = self.seed()
        self.assertRegex(before, r"^seed \d+$")
        self.new_tab_of_another_run()
        self.wait(lambda: len(self.many("#gallery .tile:not(:disabled)")) == 12, "twelve flames again")
        self.assertNotEqual(self.seed(), before, "each day another wall")
        self.forget_console()
        self.keep_picture("chance")
        first = self.hash()
        self.one("#gallery .tile").click()
        self.settled(first)
        self.keys(Keys.ESCAPE)


class Renders(Files):
    def fill(self, **fields):
        for name, value in fields.items():
            field = self.one(f"#render-{name}")
            field.clear()
            field.send_keys(value)

    def state(self):
        return self.browser.execute_script("return [...document.querySelectorAll('.job')].map(job => job.className.split(' ')[1])")

    def render(self, *words):
        """The same by the command line, of the flame as it is saved."""
        path = self.view.path("saved.flam3")
        if not os.path.exists(path):
            self.save("saved")
        made = path + "." + words[0]
        subprocess.run([given.kiln, "render", path, "-o", made, "-q", *words[1:]], check=True, stdout=subprocess.DEVNULL)
        return made

    size = (1440, 900)

    def test_a_render_is_that_of_the_command_line(self):
        self.keys(Keys.ARROW_RIGHT)
        self.keys("R")
        self.fill(name="large", width="500", amount="40")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.keep_picture("render")
        self.one(".job a[target]").click()
        here, there = self.browser.window_handles
        self.browser.switch_to.window(there)
        self.assertEqual(self.browser.execute_script("return [document.contentType, document.images[0].naturalWidth]"), ["image/png", 500])
        self.close_tab(there, here)
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.view.path("down"))
        self.one(".job a[download]").click()
        self.wait(lambda: os.path.exists(self.view.path("down/large.png")), "the download")
        self.assertTrue(filecmp.cmp(self.view.path("down/large.png"), self.view.path("large.png"), shallow=False))
        self.keys(Keys.ESCAPE)
        made = self.render("png", "--size", "500x281", "--quality", "40")
        self.assertTrue(filecmp.cmp(self.view.path("large.png"), made, shallow=False), "other bytes")

    def test_sixteen_bits_transparent_and_a_part(self):
        self.keys("R")
        self.fill(name="part", crop="10, 20, 100x60")
        self.one("#render-transparent").click()
        self.one("#render-format").send_keys("PNG, 16")
        self.keys(Keys.TAB)
        self.one("#render .first").click()
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.keys(Keys.ESCAPE)
        made = self.render("png", "--size", "320x180", "--quality", "20", "--bits", "16", "--transparent", "--crop", "10,20,100x60")
        self.assertTrue(filecmp.cmp(self.view.path("part.png"), made, shallow=False), "other bytes")

    def test_a_steered_one(self):
        self.keys("R")
        self.fill(name="steered", amount="60")
        self.one("#render-steer").click()
        self.one("#render .first").click()
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.keys(Keys.ESCAPE)
        made = self.render("png", "--size", "320x180", "--quality", "60", "--steer", "auto")
        self.assertTrue(filecmp.cmp(self.view.path("steered.png"), made, shallow=False), "other bytes")

    def test_jpeg(self):
        self.keys("R")
        self.fill(name="small")
        self.one("#render-transparent").click()
        self.one("#render-format").send_keys("JPEG")
        self.assertFalse(self.one("#render-transparent").is_enabled(), "a JPEG has no alpha")
        self.one("#render .first").click()
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.one(".job a[target]").click()
        here, there = self.browser.window_handles
        self.browser.switch_to.window(there)
        self.assertEqual(self.browser.execute_script("return [document.contentType, document.images[0].naturalWidth]"), ["image/jpeg", 320])
        self.close_tab(there, here)
        self.keys(Keys.ESCAPE)
        made = self.render("jpg", "--size", "320x180", "--quality", "20")
        self.assertTrue(filecmp.cmp(self.view.path("small.jpg"), made, shallow=False), "other bytes")

    def test_linear_light(self):
        self.keys("R")
        self.fill(name="light")
        self.one("#render-format").send_keys("OpenEXR")
        self.one("#render .first").click()
        self.wait(lambda: self.state() in (["done"], ["failed"]), "the picture")
        if "without" in self.one(".job").text:
            self.skipTest("built without OpenEXR")
        self.keys(Keys.ESCAPE)
        made = self.render("exr", "--size", "320x180", "--quality", "20")
        self.assertTrue(filecmp.cmp(self.view.path("light.exr"), made, shallow=False), "other bytes")

    def test_a_long_one_waits_is_cancelled_and_leaves_nothing(self):
        shown = self.settled()
        self.keys("R")
        for name in ("one", "two"):
            self.fill(name=name, amount="1000000")
            self.one("#render .first").click()
        self.wait(lambda: self.state() == ["waiting", "running"], "two renders")
        self.wait(lambda: "to go" in self.one(".job.running").text, "how long it takes")
        self.assertRegex(self.one(".job.running").text, r", ([1-9]\d*:[0-5]\d:[0-5]\d|[1-5]?\d:[0-5]\d) to go", "hours only where there are some")
        self.keep_picture("renders")
        self.keys(Keys.ESCAPE)
        self.keys(Keys.ARROW_RIGHT)
        self.settled(shown)  # beside it
        self.keys("R")
        self.one(".job.waiting button").click()
        self.wait(lambda: "cancelled" in self.state(), "one less")
        self.one(".job.running button").click()
        self.wait(lambda: self.state() == ["cancelled", "cancelled"], "none")
        self.assertEqual([name for name in os.listdir(self.view.folder) if name.endswith(".png")], [])
        self.keys(Keys.ESCAPE)

    def test_its_end_is_said_where_its_dialog_is_closed(self):
        self.keys("R")
        self.fill(name="open")
        self.one("#render .first").click()
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.assertNotIn("is rendered", self.one("#notice").get_attribute("textContent"), "its row says so")
        self.fill(name="closed", amount="300")
        self.one("#render .first").click()
        self.keys(Keys.ESCAPE)
        self.wait(lambda: self.one("#notice").text == "closed.png is rendered", "a word")

    def test_until_it_is_clean_enough(self):
        self.keys("R")
        self.fill(name="clean")
        self.one("#render .segments [data-value=noise]").click()
        self.fill(amount="20")
        self.one("#render .first").click()
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.keys(Keys.ESCAPE)
        made = self.render("png", "--size", "320x180", "--quality", "400", "--until-noise", "20")
        self.assertTrue(filecmp.cmp(self.view.path("clean.png"), made, shallow=False), "other bytes")
        most = self.render("png", "--size", "320x180", "--quality", "400")
        self.assertFalse(filecmp.cmp(self.view.path("clean.png"), most, shallow=False), "it went on to the most")

    def test_a_picture_that_is_there_is_replaced_only_when_told(self):
        path = self.write("mine.png", "not a picture")
        self.keys("R")
        self.fill(name="mine")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.many("#render .question button"), "a question")
        self.assertEqual(text_of(path), "not a picture")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.state() == ["done"], "the picture")
        self.assertEqual(self.rendered_hash(path), self.settled())

    def test_bad_names_are_refused(self):
        for name in ("../x", "a{stem}", "x%05d"):
            self.keys(Keys.ESCAPE, "R")
            self.fill(name=name)
            self.keys(Keys.ENTER)
            self.wait(lambda: self.one("#render .question").text, f"a word about {name}")
        self.assertEqual(self.state(), [])
