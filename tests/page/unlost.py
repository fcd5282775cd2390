# SPDX-License-Identifier: MIT
"""What somebody has made on the page does not go away by accident: the right xform, the question before the page is left, files
that are dropped, a program that dies and one that is started anew."""
import os
import signal
import time
import xml.etree.ElementTree as ET

from hand import FLAME, Keys, PageTest, xforms_of


class Chosen(PageTest):
    def test_a_new_xform_is_chosen_and_delete_removes_it(self):
        self.keys("3", "n")
        self.assertEqual(self.chosen(), [3])
        self.keys(Keys.ARROW_RIGHT, Keys.DELETE)
        self.assertEqual(self.chosen(), [2])
        names = [set(xform.keys()) & {"julian", "spherical", "bubble"} for xform in xforms_of(self.assert_saved_is_shown("left"))]
        self.assertEqual(names, [{"julian"}, {"spherical"}, {"bubble"}])

    def test_a_copy_is_chosen(self):
        self.keys("2", "d")
        self.assertEqual(self.chosen(), [3])
        self.assertEqual(self.value("spherical"), 0.3)
        self.keys(Keys.DELETE)
        self.assertEqual(len(xforms_of(self.assert_saved_is_shown("again"))), 3)

    def test_a_final_xform_is_chosen_and_removed(self):
        self.keys("2", "0")
        self.assertEqual(self.chosen(), [3])
        self.keys("n")  # before the final one
        self.assertEqual(self.chosen(), [3])
        self.keys("0")
        self.assertEqual(self.chosen(), [4])
        self.keys(Keys.DELETE)
        tree = self.assert_saved_is_shown("no-final")
        self.assertEqual((len(xforms_of(tree)), tree.findall(".//finalxform")), (4, []))

    def test_a_reload_keeps_xform_and_tab(self):
        self.keys("3", "l")
        self.open()
        self.assertEqual(self.chosen(), [2])
        self.assertEqual(self.one("#tab-Look").get_attribute("aria-selected"), "true")


class Leaving(PageTest):
    flames = [FLAME.format(name="first"), FLAME.format(name="second")]

    def asked_before_leaving(self):
        """Whether the page wants the browser to ask: the page is loaded again, as a hand on F5 would."""
        self.browser.execute_script(
            "addEventListener('beforeunload', event => sessionStorage.setItem('asked', event.defaultPrevented))")
        self.open()
        return self.browser.execute_script("return sessionStorage.getItem('asked')") == "true"

    def names(self):
        return [option.text for option in self.many("#flames option")]

    def test_unsaved_work_is_asked_for(self):
        self.assertFalse(self.asked_before_leaving())
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT)
        self.settled(first)
        self.assertEqual(self.names(), ["• first", "second"])
        self.assertIn("• first", self.browser.title)
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: "second" in self.browser.title, "the second flame")
        self.assertTrue(self.asked_before_leaving(), "another flame is shown, and the first one is not saved")

    def test_what_is_saved_or_undone_is_not_asked_for(self):
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT)
        self.settled(first)
        self.save("kept")
        self.wait(lambda: self.names()[0] == "first", "a name without its mark")
        self.assertFalse(self.browser.execute_script("return !dispatchEvent(new Event('beforeunload', {cancelable: true}))"))
        self.keys("q")
        self.wait(lambda: self.names()[0] == "• first", "the mark")
        self.keys("z")
        self.wait(lambda: self.names()[0] == "first", "as it was saved")
        self.keys("z")
        self.wait(lambda: not self.one("[data-does=undo]").is_enabled(), "as it was opened")
        self.assertFalse(self.asked_before_leaving())

    def test_undo_and_another_edit_do_not_pass_for_saved(self):
        self.keys(Keys.ARROW_RIGHT)
        self.save("kept")
        self.wait(lambda: self.names()[0] == "first", "a name without its mark")
        self.keys("z")
        self.wait(lambda: not self.one("[data-does=undo]").is_enabled(), "as it was opened")
        self.keys("q")
        self.wait(lambda: self.names()[0] == "• first", "as many steps as were saved, and others")

    def test_names_follow_the_flames(self):
        first = self.settled()
        self.keys("r")
        self.settled(first)
        self.assertRegex(self.names()[0], r"^• random-\d+$")
        self.keys("z")
        self.wait(lambda: self.names() == ["first", "second"], "the name before")

    def test_a_name_to_save_under_belongs_to_its_flame(self):
        self.save("mine")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys("s")
        self.assertEqual(self.one("#save-name").get_attribute("value"), "mine")
        self.keys(Keys.ESCAPE, Keys.PAGE_DOWN)
        self.wait(lambda: "second" in self.browser.title, "the second flame")
        self.keys("s")
        self.assertEqual(self.one("#save-name").get_attribute("value"), "second")

    def test_a_dropped_file_leaves_the_page(self):
        self.browser.execute_script("for (const name of ['dragover', 'drop']) addEventListener(name,"
                                    "  event => window[name + 'Taken'] = event.defaultPrevented)")
        address = self.browser.current_url
        drop = dict(x=400, y=300, data={"items": [], "files": [self.view.path("in1.flam3")], "dragOperationsMask": 1})
        for kind in ("dragEnter", "dragOver", "drop"):
            self.cdp("Input.dispatchDragEvent", type=kind, **drop)
        time.sleep(0.3)  # a browser that takes the file goes away
        self.assertEqual(self.browser.current_url, address)
        self.assertTrue(self.browser.execute_script("return window.dragoverTaken && window.dropTaken"))
        self.assertIn("in1.flam3", self.one("#bring .name").text)
        self.keys(Keys.ESCAPE)
        self.assertTrue(self.settled())


class Dying(PageTest):
    flames = [FLAME.format(name="first"), FLAME.format(name="second")]

    def edit_both(self):
        """An edit of each flame; the second one is shown."""
        first = self.settled()
        self.keys("2")
        self.type_into("c", "0.625", Keys.ENTER, Keys.ESCAPE)
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.one("#flames").get_attribute("value") == "1", "the second flame")
        self.type_into("c", "0.75", Keys.ENTER, Keys.ESCAPE)
        return self.settled(first)

    def test_save_says_that_the_program_has_died_and_gives_the_flame(self):
        self.type_into("c", "-0.375", Keys.ENTER, Keys.ESCAPE)
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.keys("s", "late", Keys.ENTER)
        self.assertIn("not saved", self.one("#save .question").text)
        self.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.view.folder)
        self.one("#save .question button").click()
        path = self.view.path("late.flam3")
        self.wait(lambda: os.path.exists(path), "the flame")
        self.assertEqual(xforms_of(ET.parse(path).getroot())[0].get("coefs").split()[4], "-0.375")
        self.assertEqual(len(self.rendered_hash(path)), 64)
        self.forget_console()

    def test_undo_says_that_nobody_is_there(self):
        first = self.settled()
        self.type_into("c", "-0.375", Keys.ENTER, Keys.ESCAPE)
        self.settled(first)
        self.view.die()
        self.wait(lambda: "The program does not answer; trying" in self.one("#notice").text, "a word")
        self.keys("z")
        self.assertIn("it has the steps of undo", self.one("#notice").text)
        self.view.start_again()
        self.wait(lambda: "started again" in self.one("#notice").text, "the program")
        self.forget_console()

    def test_save_says_that_a_program_does_not_answer(self):
        self.settled()
        os.kill(self.view.process.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.view.process.pid, signal.SIGCONT)
        self.keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.one("#quality").text.startswith("not shown"), "that the edit is not shown")
        self.keys("s", Keys.ENTER)
        self.wait(lambda: "not answered" in self.one("#save .question").text, "a word")
        os.kill(self.view.process.pid, signal.SIGCONT)
        self.wait(lambda: not self.many("#save[open]"), "saved after all")

    def test_edits_come_back_after_a_restart(self):
        shown = self.edit_both()
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.type_into("f", "0.5", Keys.ENTER, Keys.ESCAPE)  # while nobody is there
        self.view.start_again()
        self.settled(shown)
        self.assertIn("started again", self.one("#notice").text)
        self.assertEqual(self.one("#flames").get_attribute("value"), "1")
        coefs = xforms_of(self.assert_saved_is_shown("back"))[1].get("coefs").split()
        self.assertEqual(coefs[4:], ["0.75", "0.5"])
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.one("#flames").get_attribute("value") == "0", "the first flame")
        self.assertEqual(self.value("c"), 0.625)
        self.settled(shown)
        self.keys("z")
        self.wait(lambda: self.value("c") == 0.6, "what the file has")
        self.forget_console()

    def test_edits_come_back_to_a_page_that_is_loaded_again(self):
        shown = self.edit_both()
        self.view.die()
        self.browser.refresh()  # nobody answers
        self.assertEqual(self.many("#stage"), [])
        self.view.start_again()
        self.browser.get(self.view.address)
        self.wait(lambda: self.hash() == shown, "the picture before")
        self.assertEqual(self.value("c"), 0.75)
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.one("#flames").get_attribute("value") == "0", "the first flame")
        self.assertEqual(self.value("c"), 0.625)
        self.forget_console()

    def test_edits_of_a_lost_line_come_back(self):
        first = self.settled()
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.type_into("c", "-0.125", Keys.ENTER, Keys.ESCAPE)
        self.view.start_again()
        self.settled(first)
        self.assertEqual(self.value("c"), -0.125)
        self.assertIn("• first", self.browser.title)
        self.forget_console()

    def test_a_page_that_is_not_let_in_says_which_address_to_take(self):
        self.browser.get(self.view.address.partition("?")[0])
        self.wait(lambda: "address that kiln printed" in self.one("#notice").text, "what to do")
        self.forget_console()


class Nothing(PageTest):
    flames = []
    options = ["--size", "320x180", "--quality", "10"]

    def test_without_a_file_there_is_a_flame_by_chance(self):
        self.assertRegex(self.browser.title, r"^random-\d+ - kiln$")
        self.assert_saved_is_shown("found")
