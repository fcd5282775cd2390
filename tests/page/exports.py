# SPDX-License-Identifier: MIT
"""Films out of the page: one that a hand has made is that of the command and the library, frame by frame; a loop as a file for
posting takes three clicks; what the dialog asks for; what a browser makes of each format."""
import filecmp
import glob
import os
import re
import struct
import subprocess
import sys
import wave

from films import Films, record_of
from hand import FLAME, ActionChains, Keys, given
from songs import SMALL, WithSong


class Exports(Films):
    """What the tests of this file have in common."""
    flames = [FLAME.format(name="rose").replace('size="320 180"', 'size="160 90"').replace('scale="60"', 'scale="30"')
              .replace("estimator_radius", 'temporal_samples="4" estimator_radius')]

    def short_film(self, last=5):
        self.film()
        self.hand_to(last)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, last], "two keys")

    def ask(self, name, says):
        """The dialog with another name and format."""
        if not self.many("#export[open]"):
            self.one("#timeline-export").click()
        self.type("#export-name", name)
        [option] = [option for option in self.many("#export-format option") if option.text.startswith(says)]
        option.click()

    def type(self, selector, text):
        self.one(selector).click()
        self.chord(Keys.CONTROL, "a")
        self.keys(text)

    def submit(self):
        self.one("#export button[type=submit]").click()

    def job(self, name, state="done"):
        """Its row in the dialog, once it has come so far."""
        row = lambda: self.browser.execute_script(
            "return [...document.querySelectorAll(arguments[0])].find(row => row.textContent.startsWith(arguments[1]))",
            f"#export .job.{state}", name)
        return self.wait(row, f"{name} is {state}")


class Shows(Exports):
    flames = [FLAME.format(name="rose").replace("estimator_radius", 'temporal_samples="6" estimator_radius')]

    def library(self, path):
        """Hashes of the frames that Python makes of a film; none where kiln was built without."""
        packages = os.path.join(os.path.dirname(given.kiln), "python")
        if not glob.glob(os.path.join(packages, "kiln", "_kiln*.so")):
            print("skipped: the library's frames (kiln was built without Python)", file=sys.stderr)
            return None
        words = "import sys, kiln; print(*[picture.hash for picture in kiln.animate(sys.argv[1])])"
        made = subprocess.run([sys.executable, "-c", words, path], env=dict(os.environ, PYTHONPATH=packages), capture_output=True,
                              text=True, check=True)
        return made.stdout.split()

    def test_a_film_of_the_mouse_is_that_of_the_command_and_the_library(self):
        """Keys added, moved and retimed, easing by clicks, the curve of an attribute dragged: then exported."""
        self.film()
        self.hand_to(8)
        self.drag(self.one("#overlay .chosen circle[data-part=o]"), 50, -30)
        self.wait(lambda: self.times() == [0, 8], "a key of what was dragged")
        self.add_keys_between()
        self.one("#tab-Camera").click()
        self.hand_to(0)
        ActionChains(self.browser).context_click(self.field("zoom")).perform()
        self.one("#animate-it").click()
        self.wait(lambda: len(self.many(".track")) == 1, "a track")
        self.hand_to(8)
        self.field("zoom").click()
        self.keys("1", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: len(self.many(".curve .dot")) == 2, "two keys of it")
        self.drag(self.many(".curve .dot")[1], round(self.x_of(7) - self.x_of(8)), 12)
        self.frame()  # the curve is drawn anew when the dragged key is taken
        self.one(".curve .grip").click()
        self.one("#easings [data-easing=ease-out]").click()
        self.hand_to(5)
        shown = self.frame()
        self.keep_picture("film-by-hand")
        keys = self.saved("film")
        self.assertEqual([(key.get("time"), key.get("kiln_easing")) for key in keys],
                         [("0", "ease-in-out"), ("2", "bounce"), ("6", "hold"), ("8", None)])
        track = keys[0].find("kiln_track").findall("key")
        self.assertEqual([key.get("time") for key in track], ["0", "7"])
        self.assertLess(float(track[1].get("value")), 0.9)
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.ask("film", "Frames (PNG)")
        self.submit()
        self.job("film")
        path = self.view.path("film.flam3")
        hashes = self.animated(path)
        self.assertEqual((len(hashes), len(set(hashes[:7]))), (10, 7), "frames that differ, and the last key, a cut, as long as the one before")
        exported = sorted(glob.glob(self.view.path("film-frames/*.png")))
        self.assertEqual([record_of(frame)["pixel_hash"] for frame in exported], hashes)
        for mine, theirs in zip(exported, sorted(glob.glob(path + "-frames/*.png"))):
            with open(mine, "rb") as one, open(theirs, "rb") as other:
                self.assertEqual(one.read(), other.read(), "the same file, record and all")
        self.assertEqual(hashes[5], shown, "and what the page shows")
        by_library = self.library(path)
        if by_library is not None:
            self.assertEqual(by_library, hashes)


class Bytes(Exports, WithSong):
    """A saved film that was opened again beside another flame."""
    flames = [SMALL.replace("estimator_radius", 'temporal_samples="2" estimator_radius').format(name=name) for name in ("rose", "lily")]

    def make_film(self):
        """Four keys, and a number that a song drives."""
        self.film()
        self.hand_to(8)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, 8], "a key of what was edited")
        self.add_keys_between()
        self.take_song()
        self.one("#timeline-song").click()
        self.keys(Keys.ESCAPE, "l")
        self.menu_of("brightness", "drive-it")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.many('[data-driven="brightness"] .line'), "its course")
        self.frame()

    def open_beside(self, name):
        """In another run, whose other flame is looked at and edited."""
        self.wait(lambda: not self.kept_files(), "what is saved is not kept")
        self.view.words[self.view.words.index("in0.flam3")] = name
        self.new_tab_of_another_run()
        self.cdp("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1], deviceScaleFactor=1, mobile=False)
        self.wait(lambda: self.times() == [0, 2, 6, 8], "its keys")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.one("#timeline .begin").is_displayed(), "a flame of no film")
        self.keys("q")
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.times() == [0, 2, 6, 8], "the film")
        self.hand_to(3)
        self.forget_console()

    def assert_same(self, one, other):
        self.assertTrue(filecmp.cmp(self.view.path(one), self.view.path(other), shallow=False), f"{one} is {other}, to the last byte")

    def test_what_is_exported_is_to_the_last_byte_what_the_command_makes_of_the_file(self):
        self.make_film()
        keys = self.saved("four")
        self.assertEqual([key.get("time") for key in keys], ["0", "2", "6", "8"])
        self.assertEqual((keys[0].find("kiln_sound").get("file"), keys[0].find("kiln_track").get("name")), ("song.wav", "brightness"))
        self.open_beside("four.flam3")
        shown = self.frame()
        for says in ("Frames (PNG)", "MP4"):
            self.ask("made", says)
            self.submit()
            self.job("made.png" if "PNG" in says else "made.mp4")
        self.keys(Keys.ESCAPE)
        self.saved("again")
        self.assert_same("again.flam3", "four.flam3")
        hashes = self.animated(self.view.path("four.flam3"))
        self.assertEqual((len(hashes), len(set(hashes)), hashes[3]), (10, 10, shown), "the song moves each of them")
        for i in range(10):
            self.assert_same(f"made-frames/{i:05}.png", f"four.flam3-frames/{i:05}.png")
        subprocess.run([given.kiln, "animate", "four.flam3", "--video", "four.mp4", "--quiet"], check=True, cwd=self.view.folder)
        self.assert_same("made.mp4", "four.mp4")


class Posted(Exports):
    flames = Exports.flames * 3

    def test_a_loop_is_a_gif_a_webp_or_an_mp4_after_three_clicks(self):
        for index, ending in enumerate(("gif", "webp", "mp4")):
            self.count_presses()
            self.click("timeline")
            self.one(f"#timeline [data-loop={ending}]").click()
            self.wait(lambda: self.many("#export[open]"), "the dialog")
            self.keep_picture(f"loop-as-{ending}")
            self.submit()
            self.wait(lambda: len(self.many("#export .job")) == index + 1, f"{ending} is on its way")
            self.assert_presses(3, ending)
            self.keys(Keys.ESCAPE)
            self.click("timeline")
            self.keys(Keys.PAGE_DOWN)
            self.wait(lambda: self.one("#flames").get_attribute("value") == str((index + 1) % 3), "the next flame")
        self.click("render")
        for index, ending in enumerate(("gif", "webp", "mp4")):
            self.wait(lambda: self.many(f"#render .job.done[data-job='{index + 1}']"), ending)
        frames = ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0"]
        for ending in ("gif", "mp4"):  # ffmpeg reads no animated WebP
            count = subprocess.run([*frames, glob.glob(self.view.path("*." + ending))[0]], capture_output=True, text=True, check=True)
            self.assertEqual(count.stdout.strip().strip(","), "60")
        with open(glob.glob(self.view.path("*.webp"))[0], "rb") as file:
            self.assertEqual(file.read().count(b"ANMF"), 60)

    def test_a_browser_shows_every_format(self):
        self.short_film(6)
        self.type("#timeline-fps", "12")
        links = {}
        for ending, says in (("gif", "GIF"), ("webp", "WebP"), ("apng", "APNG"), ("webm", "WebM"), ("mp4", "MP4")):
            self.ask("shown", says)
            self.submit()
            row = self.job(f"shown.{ending}")
            links[ending] = [link.get_attribute("href") for link in row.find_elements("tag name", "a") if link.text == "Open"]
        for ending, [address] in links.items():
            if ending in ("gif", "webp", "apng"):
                size, frames = self.browser.execute_async_script("""
                    const [address, done] = arguments, image = new Image();
                    fetch(address).then(async answer => {
                      const bytes = await answer.arrayBuffer(), type = answer.headers.get('content-type');
                      const decoder = new ImageDecoder({data: bytes, type: type.replace('apng', 'png')});
                      await decoder.tracks.ready;
                      await decoder.completed;
                      image.src = URL.createObjectURL(new Blob([bytes], {type}));
                      await image.decode();
                      done([[image.naturalWidth, image.naturalHeight], decoder.tracks.selectedTrack.frameCount]);
                    }).catch(error => done([[0, 0], String(error)]));""", address)
                self.assertEqual((ending, size, frames), (ending, [160, 90], 6))
                continue
            self.browser.get(address)
            width, height, seconds = self.browser.execute_async_script("""
                const done = arguments[0], video = document.querySelector('video');
                if (!video) return done([0, 0, 0]);
                const say = () => done([video.videoWidth, video.videoHeight, video.duration]);
                video.addEventListener('error', () => done([0, 0, -1]));
                return video.readyState ? say() : video.addEventListener('loadedmetadata', say);""")
            self.assertEqual((ending, width, height), (ending, 160, 90))
            self.assertAlmostEqual(seconds, 0.5, delta=0.02)
        self.open()


class Asked(Exports):
    def test_a_sound_and_as_many_frames_as_it_lasts(self):
        self.short_film(3)
        with wave.open(self.view.path("beep.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(b"".join(struct.pack("<h", (i * 600) % 20000 - 10000) for i in range(8000)))
        self.ask("loud", "GIF")
        self.assertFalse(self.one("#export-sound-name").is_displayed(), "a GIF has none")
        self.ask("loud", "MP4")
        self.one("#export-sound").send_keys(self.view.path("beep.wav"))
        self.wait(lambda: self.one("#export-sound-name").text == "beep.wav", "the program has it")
        self.type("#export-fps", "12")
        self.submit()
        self.job("loud.mp4")
        self.assertEqual(self.streams("loud.mp4"), {"video": 3, "audio": None})
        self.one("#export-fits").click()
        self.assertEqual(self.one("#export-says").text, "as the sound")
        self.keep_picture("export-sound")
        self.type("#export-name", "fits")
        self.submit()
        self.job("fits.mp4")
        self.assertEqual(self.streams("fits.mp4"), {"video": 12, "audio": None})
        self.one("#export-silence").click()
        self.wait(lambda: not self.one("#export-silence").is_displayed(), "no sound")
        self.type("#export-name", "mute")
        self.submit()
        self.job("mute.mp4")
        self.assertEqual(self.streams("mute.mp4"), {"video": 3})

    def test_with_a_sound_chosen_a_gif_is_made_without(self):
        self.short_film(3)
        with wave.open(self.view.path("beep.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(bytes(1600))
        self.ask("loud", "MP4")
        self.one("#export-sound").send_keys(self.view.path("beep.wav"))
        self.wait(lambda: self.one("#export-sound-name").text == "beep.wav", "the program has it")
        self.one("#export-fits").click()
        for name, says in (("calm.gif", "GIF"), ("still.png", "Frames (PNG)")):
            self.ask(name, says)
            self.assertTrue(self.one("#export-to").is_enabled(), "the film has its own length")
            self.submit()
            self.job(name)
        self.assertEqual(self.streams("calm.gif"), {"video": 3})
        self.assertEqual(len(os.listdir(self.view.path("still-frames"))), 3)

    def test_frames_of_somebody_else_are_asked_for(self):
        self.short_film(2)
        os.mkdir(self.view.path("mine-frames"))
        with open(self.view.path("mine-frames/00000.png"), "w") as file:
            file.write("mine")
        self.ask("mine", "Frames (PNG)")
        self.submit()
        question = self.wait(lambda: self.one("#export .question").text, "a question")
        self.assertIn("mine-frames holds pictures that this did not make", question)
        self.assertEqual(os.path.getsize(self.view.path("mine-frames/00000.png")), 4)
        self.one("//dialog[@id='export']//button[.='Replace them']").click()
        self.job("mine.png")
        self.assertGreater(os.path.getsize(self.view.path("mine-frames/00000.png")), 4)

    def test_as_much_noise_as_is_asked_for(self):
        self.short_film(2)
        self.ask("calm", "Frames (PNG)")
        self.one("#export .segments [data-value=noise]").click()
        self.assertEqual(self.one("#export-amount").get_attribute("value"), "1")
        self.type("#export-amount", "4")
        self.keep_picture("export-noise")
        self.submit()
        self.job("calm.png")
        self.one("#export .segments [data-value=quality]").click()
        self.type("#export-name", "same")
        self.type("#export-amount", self.quality_of("calm-frames"))
        self.submit()
        self.job("same.png")
        calm, same = (sorted(glob.glob(self.view.path(f"{name}-frames/*.png"))) for name in ("calm", "same"))
        self.assertEqual([record_of(frame)["pixel_hash"] for frame in calm], [record_of(frame)["pixel_hash"] for frame in same])

    def quality_of(self, folder):
        """That of the flames in the frames, which is one."""
        genomes = [subprocess.run([given.kiln, "convert", frame, "-o", "-"], capture_output=True, text=True, check=True).stdout
                   for frame in glob.glob(self.view.path(f"{folder}/*.png"))]
        [quality] = {re.search(r' quality="([\d.]+)"', genome)[1] for genome in genomes}
        self.assertNotEqual(quality, "20", "it was found, not the flame's")
        return quality

    def test_one_frame_is_a_film_too(self):
        self.short_film(3)
        self.ask("single", "Frames (PNG)")
        self.type("#export-from", "1")
        self.type("#export-to", "1")
        self.assertEqual(self.one("#export-says").text, "1 frame")
        self.submit()
        self.job("single.png")
        self.assertEqual([os.path.basename(name) for name in glob.glob(self.view.path("single-frames/*"))], ["00001.png"])

    def streams(self, name):
        """Of a film its kinds of streams, with the frames of the picture."""
        said = subprocess.run(["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=codec_type,nb_read_packets", "-of",
                               "csv=p=0", self.view.path(name)], capture_output=True, text=True, check=True).stdout
        return {kind: int(count) if kind == "video" else None for kind, count in (line.split(",")[:2] for line in said.split())}

    def test_what_was_cancelled_goes_on(self):
        self.film("timeline-make-loop")
        self.ask("long", "GIF")
        self.one("#export-keeps").click()
        self.type("#export-amount", "200")
        self.submit()
        frames = lambda: sorted(glob.glob(self.view.path("long-frames/*.png")))
        self.wait(lambda: len(frames()) >= 3, "its first frames")
        self.wait(lambda: re.search(r"\d %", self.job("long.gif", "running").text), "how far it is")
        self.keep_picture("export-running")
        self.job("long.gif", "running").find_element("tag name", "button").click()
        row = self.job("long.gif", "cancelled")
        before = {frame: os.stat(frame).st_mtime_ns for frame in frames()}
        self.assertLess(len(before), 60, "it was cancelled on its way")
        row.find_element("xpath", ".//button[text()='Go on']").click()
        self.job("long.gif")
        self.assertEqual(len(frames()), 60)
        self.assertEqual({frame: os.stat(frame).st_mtime_ns for frame in before}, before, "what was there stays")
