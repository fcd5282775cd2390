# SPDX-License-Identifier: MIT
"""Numbers that move live: by a microphone (a file that Chromium plays into it), a control of MIDI, a gamepad; and kept as tracks."""
import os
import re
import shutil
import socket
import struct
import tempfile
import time

from films import Films
from hand import ActionChains, Keys, start_browser, text_of
from songs import SMALL, write_song

# Controls that no machine of tests has.
FAKES = """window.midi = {inputs: new Map([['one', {}]]), onstatechange: null};
navigator.requestMIDIAccess = async () => window.midi;
window.pad = {index: 0, axes: [0, 0], buttons: [{value: 0}]};
navigator.getGamepads = () => [window.pad, null];"""


class Live(Films):
    flames = [SMALL.format(name="rose")]

    def move(self, field, to, first="0"):
        self.one("#tab-Look").click()
        ActionChains(self.browser).context_click(self.field(field)).perform()
        self.one("#move-it").click()
        for name, text in (("from", first), ("to", to)):
            self.one(f'#moves [aria-label="{name} of {field}"]').click()
            self.chord(Keys.CONTROL, "a")
            self.keys(text, Keys.ENTER)

    def seen_values(self, field, seconds):
        """Those that the panel shows meanwhile."""
        found, end = set(), time.monotonic() + seconds
        while time.monotonic() < end:
            found.add(self.value(field))
            time.sleep(0.02)
        return found


class Microphone(Live):
    @classmethod
    def setUpClass(cls):
        cls.sounds = tempfile.mkdtemp(prefix="kiln-sounds-")
        song = os.path.join(cls.sounds, "song.wav")
        write_song(song)
        cls.browser = start_browser("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                                    f"--use-file-for-fake-audio-capture={song}")

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.sounds)

    def test_drums_move_a_number_and_are_kept_as_a_track(self):
        first = self.settled()
        self.move("brightness", "9", "2")
        self.assertEqual(self.value("brightness"), 5, "nothing moves yet")
        self.browser.execute_script("""window.pictures = 0; const draw = CanvasRenderingContext2D.prototype.drawImage;
            CanvasRenderingContext2D.prototype.drawImage = function(...all) { if (this.canvas.id === 'picture') ++window.pictures; return draw.apply(this, all); };""")
        self.one("#moves-microphone").click()
        self.wait(lambda: len(self.seen_values("brightness", 1)) > 2, "it moves")
        self.one("#moves-record").click()
        before = self.browser.execute_script("return window.pictures")
        values = self.seen_values("brightness", 3)
        pictures = (self.browser.execute_script("return window.pictures") - before) / 3
        print(f"\nlive: {pictures:.0f} pictures a second, {len(values)} values seen in 3 s")
        self.keep_picture("moves-microphone")
        self.assertTrue(all(2 <= value <= 9 for value in values), values)
        self.assertGreater(max(values) - min(values), 2, "drums and what is between them")
        self.assertGreater(pictures, 5)
        self.one("#moves-record").click()
        self.wait(lambda: self.many(".curve .dot"), "a track")
        self.assertIn("kept: 1 track", self.one("#moves-says").text)
        self.one("#moves [aria-label^=Close]").click()
        self.frame()
        self.keep_picture("moves-kept")
        track = self.saved("played")[0].find("kiln_track")
        kept = [(float(key.get("time")), float(key.get("value"))) for key in track.findall("key")]
        self.assertEqual(track.get("name"), "brightness")
        self.assertGreater(len(kept), 8)
        self.assertGreater(kept[-1][0], 70, "three seconds of 30 frames")
        self.assertEqual(kept, sorted(kept))
        self.keys(Keys.ESCAPE, "z", "z", "z")
        self.settled(first)

    def test_it_is_one_step_and_stands_still_afterwards(self):
        first = self.settled()
        self.move("brightness", "9", "2")
        self.one("#moves-microphone").click()
        self.wait(lambda: len(self.seen_values("brightness", 1)) > 2, "it moves")
        self.one("#moves-microphone").click()
        self.assertEqual(self.one("#moves-microphone").get_attribute("aria-pressed"), "false")
        self.settled(first)
        self.wait(lambda: len(self.seen_values("brightness", 1)) == 1, "it stands still")
        self.assert_saved_is_shown("still")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == first, "one step back")


class Controls(Live):
    def open(self):
        self.cdp("Page.addScriptToEvaluateOnNewDocument", source=FAKES)
        super().open()

    def test_a_control_of_midi_is_learned(self):
        self.settled()
        self.move("brightness", "9", "1")
        self.one("#moves-midi").click()
        self.wait(lambda: "MIDI is there" in self.one("#moves-says").text, "MIDI")
        self.one("//div[@id='moves']//button[.='learn'] | //section[@id='moves']//button[.='learn']").click()
        send = "window.midi.inputs.get('one').onmidimessage({data: arguments[0]});"
        self.browser.execute_script(send, [0x90, 60, 127])  # a note is no control
        self.browser.execute_script(send, [0xb1, 7, 127])
        self.wait(lambda: abs(self.value("brightness") - 9) < 1e-3, "all of its way")
        self.browser.execute_script(send, [0xb0, 7, 0])  # of another channel
        self.assertAlmostEqual(self.value("brightness"), 9, places=3)
        self.browser.execute_script(send, [0xb1, 7, 0])
        self.wait(lambda: abs(self.value("brightness") - 1) < 1e-2, "back")
        self.keep_picture("moves-midi")

    def test_an_axis_of_a_gamepad_is_learned(self):
        self.settled()
        self.move("gamma", "6", "2")
        self.one("//section[@id='moves']//button[.='learn']").click()
        time.sleep(0.2)
        self.browser.execute_script("window.pad.axes[1] = 1")
        self.wait(lambda: abs(self.value("gamma") - 6) < 1e-3, "its end")
        self.browser.execute_script("window.pad.axes[1] = -1")
        self.wait(lambda: abs(self.value("gamma") - 2) < 1e-2, "its other end")

    def test_what_the_browser_refuses_is_said(self):
        self.browser.execute_script("navigator.requestMIDIAccess = async () => { throw new Error('not allowed'); };")
        self.keys(Keys.ESCAPE, "G")
        self.assertIn("Right-click a number", self.one("#moves-says").text)
        self.one("#moves-midi").click()
        self.wait(lambda: "no MIDI: not allowed" in self.one("#moves-says").text, "why")


def osc(address, *numbers):
    def padded(text):
        return text.encode() + b"\0" * (4 - len(text) % 4)
    return padded(address) + padded("," + "f" * len(numbers)) + struct.pack(f">{len(numbers)}f", *numbers)


def read_bundle(packet):
    """Messages of a bundle: {address: numbers}."""
    found, at = {}, 16
    while at < len(packet):
        size = struct.unpack_from(">i", packet, at)[0]
        part = packet[at + 4:at + 4 + size]
        end = part.index(b"\0")
        types = part[(end // 4 + 1) * 4:]
        count = types.index(b"\0") - 1
        found[part[:end].decode()] = struct.unpack_from(f">{count}f", part, size - 4 * count)
        at += 4 + size
    return found


class Osc(Films):
    flames = [SMALL.format(name="rose")]

    def setUp(self):
        self.out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.out.close)
        self.out.bind(("127.0.0.1", 0))
        self.out.settimeout(10)
        self.options = ["--osc", "0", "--osc-out", f"127.0.0.1:{self.out.getsockname()[1]}"]
        super().setUp()
        self.port = int(re.search(r"OSC is heard at 127.0.0.1:(\d+)", text_of(self.view.path("err")))[1])

    def send(self, packet):
        self.out.sendto(packet, ("127.0.0.1", self.port))

    def test_numbers_move_and_are_told(self):
        first = self.settled()
        self.one("#tab-Look").click()
        self.send(osc("/kiln/brightness", 8))
        self.wait(lambda: self.value("brightness") == 8, "it moves")
        told = read_bundle(self.out.recv(2000))
        self.assertEqual(told, {"/kiln/brightness": (8,)})
        self.send(osc("/kiln/xform/2/position", 0.25, -0.5))
        self.one("#tab-Xforms").click()
        self.keys("2")
        self.wait(lambda: self.value("c") == 0.25 and self.value("f") == -0.5, "two numbers at once")
        self.settled(first)
        self.assert_saved_is_shown("moved")
        told = {}
        while "/kiln/gamma" not in told:
            if not told:
                self.one("#tab-Look").click()
                self.type_into("gamma", "2.5", Keys.ENTER, Keys.ESCAPE)
            told.update(read_bundle(self.out.recv(2000)))
        self.assertEqual(told["/kiln/gamma"], (2.5,))
        self.assertEqual(told["/kiln/xform/2/position"], (0.25, -0.5))

    def test_many_packets_are_one_step_and_the_last_counts(self):
        first = self.settled()
        self.one("#tab-Look").click()
        for i in range(1000):
            self.send(osc("/kiln/brightness", 2 + i / 100))
            time.sleep(0.0005)  # 2,000 a second
        self.send(osc("/kiln/brightness", 3.5))
        self.wait(lambda: self.value("brightness") == 3.5, "the last one")
        self.settled(first)
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == first, "one step back")

    def test_what_is_no_number_is_refused_and_said_once(self):
        first = self.settled()
        for _ in range(3):
            for packet in (b"", b"abc", b"\xff" * 64, osc("/kiln/nothing", 1), osc("/kiln/*", 1), osc("/kiln/zoom", float("nan")),
                           osc("/kiln/xform/9/turn", 1), os.urandom(1400)):
                self.send(packet)
        self.send(osc("/kiln/brightness", 7))
        self.one("#tab-Look").click()
        self.wait(lambda: self.value("brightness") == 7, "what is right counts")
        said = text_of(self.view.path("err"))
        for part in ("has 3 bytes", "/kiln/nothing: no number of a flame has this address", "patterns of addresses", "no finite number",
                     "the flame has 3 xforms"):
            self.assertEqual(said.count(part), 1, said)
        self.settled(first)
