# SPDX-License-Identifier: MIT
"""A slow network between the program and its page: what is said of a picture that is on its way, and an edit that comes meanwhile."""
import re
import socket
import threading
import time

from hand import FLAME, PageTest


class Slow:
    """Hands on what comes at a port of its own; from the program to the page so many bytes a second."""

    def __init__(self, port, bytes_a_second):
        self.port, self.rate, self.ends = port, bytes_a_second, []
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(16)
        self.own = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                page, _ = self.listener.accept()
            except OSError:
                return
            program = socket.socket()
            program.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)  # a long way holds little
            program.connect(("127.0.0.1", self.port))
            self.ends += [page, program]
            for one, other, is_slow in ((page, program, False), (program, page, True)):
                threading.Thread(target=self.hand_on, args=(one, other, is_slow), daemon=True).start()

    def hand_on(self, one, other, is_slow):
        try:
            while data := one.recv(4096):
                if is_slow and self.rate:
                    time.sleep(len(data) / self.rate)
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            end.close()

    def cut(self):
        """All that is connected now; who comes then is let in."""
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it was closed already
        self.ends = []

    def close(self):
        self.listener.close()


class SlowNetwork(PageTest):
    flames = [FLAME.format(name="far").replace('size="320 180"', 'size="960 540"').replace('scale="60"', 'scale="180"').replace('quality="20"', 'quality="4"')]

    def open(self):
        host = self.view.address.split("/")[2]
        self.slow = Slow(int(host.split(":")[1]), None)
        self.addCleanup(self.slow.close)
        self.view.address = self.view.address.replace(host, f"127.0.0.1:{self.slow.own}")
        super().open()

    def said(self):
        return self.browser.execute_script("return document.getElementById('quality').textContent")

    def on_its_way(self):
        found = re.match(r"finished, on its way: (\d+) %", self.said())
        return found and int(found[1])

    def test_it_is_said_how_much_of_a_picture_has_come(self):
        first = self.settled()
        self.slow.rate = 100_000
        self.keys("q")
        one = self.wait(self.on_its_way, "a word on how much has come")
        other = self.wait(lambda: (now := self.on_its_way()) and now > one and now, "more of it")
        self.keep_picture("on-its-way")
        self.assertLess(other, 100)
        second = self.settled(first)
        self.assertEqual(self.pixel_hash(), second, "the parts are the picture")
        self.assertIn("finished, quality", self.said())
        self.slow.rate = None
        self.keys("z")
        self.assertEqual(self.settled(second), first)

    def test_an_edit_does_not_wait_for_the_rest(self):
        first = self.settled()
        self.slow.rate = 60_000
        self.keys("q")
        self.wait(self.on_its_way, "a word on how much has come")
        self.keys("z")
        self.wait(lambda: not self.on_its_way(), "the rest does not come")
        self.assertFalse(self.hash(), "it was left out")
        self.slow.rate = None
        self.assertEqual(self.settled(), first)
        self.assertEqual(self.pixel_hash(), first)
        self.keys("q", "q", "q")
        second = self.settled(first)
        self.assertEqual(self.pixel_hash(), second, "a picture after one that was left out")

    def test_edits_one_after_another_leave_out_one_picture_after_another(self):
        first = self.settled()
        self.slow.rate = 60_000
        for i in range(4):  # more than the program sends to a page that shows nothing
            self.keys("q" if i % 2 == 0 else "z")
            self.wait(lambda: not self.hash(), "another flame")
            self.wait(self.on_its_way, f"picture {i} comes")
        self.slow.rate = None
        self.assertEqual(self.settled(), first)
        self.assertEqual(self.pixel_hash(), first)

    def test_a_connection_that_breaks_while_a_picture_comes(self):
        first = self.settled()
        self.slow.rate = 60_000
        self.keys("q")
        self.wait(self.on_its_way, "a word on how much has come")
        self.slow.cut()
        self.slow.rate = None
        second = self.settled(first)
        self.assertEqual(self.pixel_hash(), second, "all of it, and nothing of the half that had come")
        self.forget_console()
