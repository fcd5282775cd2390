#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A site of all flames of the repository, in a browser: site_test.py --page FOLDER --kiln PROGRAM [--browser firefox] [--pictures FOLDER]

kiln gallery makes it with the page that plays. From a server and from disk, on a phone and on a desk: the wall, each flame's page, what
is downloaded; then every link, opened in the page that plays, has the pixels that kiln render has of the file."""
import glob
import html
import json
import os
import re
import subprocess
import sys
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from place import PlayCase, given, main, root, serve  # noqa: E402
from hand import ActionChains, By, Keys  # noqa: E402

WIDTH, QUALITY = 120, 3  # of pictures whose hashes are compared
FOLDERS = ["flames", "flames/found", "flames/wild"]


def json_of(*words):
    said = subprocess.run([given.kiln, *words, "--json"], cwd=root, check=True, capture_output=True, text=True).stdout
    return json.loads(said)


class SiteTest(PlayCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.site = os.path.join(cls.folder, "site")
        subprocess.run([given.kiln, "gallery", *FOLDERS, "-o", cls.site, "--web", os.path.abspath(given.page), "--width", "320", "--quality",
                        "10", "-q"], cwd=root, check=True)
        cls.site_server, cls.host = serve(cls.site)
        with open(f"{cls.site}/index.html") as file:
            cls.names = re.findall(r'<a href="pages/([^"]*)[.]html">', file.read())

    @classmethod
    def tearDownClass(cls):
        cls.site_server.shutdown()
        super().tearDownClass()

    def page_of(self, name):
        with urllib.request.urlopen(f"{self.host}pages/{name}.html") as page:
            return page.read().decode()

    def link_of(self, name):
        return html.unescape(re.search(r'href="[.][.]/play/index[.]html(#[^"]*)"', self.page_of(name)).group(1))

    def wait_pictures(self, count):
        self.browser.execute_script("for (const image of document.images) image.loading = 'eager'")
        self.wait(lambda: self.browser.execute_script("return [...document.images].filter((one) => one.complete && one.naturalWidth > 0).length")
                  == count, f"{count} pictures")

    def look_around(self, home, screen):
        """The wall, a flame by a click, the next by an arrow key, and back."""
        self.browser.get(f"{home}index.html")
        self.wait_pictures(len(self.names))
        self.check_layout()
        self.screenshot(f"site-{screen}")
        self.browser.find_element(By.CSS_SELECTOR, f'a[href="pages/{self.names[2]}.html"]').click()
        self.wait(lambda: self.browser.current_url == f"{home}pages/{self.names[2]}.html", "the page of a flame")
        self.wait_pictures(1)
        self.check_layout()
        self.screenshot(f"site-flame-{screen}")
        ActionChains(self.browser).send_keys(Keys.ARROW_RIGHT).perform()
        self.wait(lambda: self.browser.current_url == f"{home}pages/{self.names[3]}.html", "the next flame")
        self.browser.find_element(By.CSS_SELECTOR, "nav a").click()
        self.wait(lambda: self.browser.current_url == f"{home}index.html", "the wall")

    def test_has_every_flame(self):
        files = [path for folder in FOLDERS for path in glob.glob(f"{root}/{folder}/*.fla*")]
        self.assertEqual(len(files), 35)
        self.assertEqual(len(self.names), len(set(self.names)))
        self.assertEqual(len(self.names), 38, "one of the files is a film of four")

    def test_from_a_server(self):
        for screen, width, height in (("phone", 390, 844), ("desk", 1440, 900)):
            with self.subTest(screen):
                self.sized(width, height)
                self.look_around(self.host, screen)
        self.browser.get(f"{self.host}pages/coral.html")
        self.browser.find_element(By.CSS_SELECTOR, "[data-link]").click()
        self.wait(lambda: "is copied" in self.text("said"), "the clipboard")
        self.browser.find_element(By.CSS_SELECTOR, "a[download]").click()
        path = os.path.join(self.folder, "coral.flam3")
        self.wait(lambda: os.path.exists(path), "the file")
        self.browser.find_element(By.CSS_SELECTOR, ".main").click()
        self.wait(lambda: self.browser.current_url.startswith(f"{self.host}play/index.html#title=coral&f1=") and self.text("hash"), "it plays")
        wanted = json_of("render", path, "-o", os.path.join(self.folder, "coral.png"), "--width", str(WIDTH), "--quality", str(QUALITY))
        self.assertEqual(self.render(WIDTH, QUALITY), wanted["pictures"][0]["pixel_hash"])

    def test_from_disk(self):
        home = f"file://{self.site}/"
        for screen, width, height in (("disk-phone", 390, 844), ("disk-desk", 1440, 900)):
            with self.subTest(screen):
                self.sized(width, height)
                self.look_around(home, screen)
        self.browser.get(f"{home}pages/coral.html")
        self.browser.find_element(By.CSS_SELECTOR, ".main").click()
        self.wait(lambda: "python3 -m http.server" in self.text("messages"), "what to do")

    def test_every_link_is_its_flame(self):
        """Opened one after the other in one page, as who clicks through messages does."""
        pictures = json_of("render", *FOLDERS, "-o", os.path.join(self.folder, "{stem}_{index}.png"), "--width", str(WIDTH), "--quality",
                           str(QUALITY))["pictures"]
        self.assertEqual(len(pictures), len(self.names))
        self.visit()
        longest = 0
        for name, picture in zip(self.names, pictures):
            with self.subTest(flame=name):
                link = self.link_of(name)
                longest = max(longest, len(link))
                self.assertLess(len(link), 2048)
                self.browser.execute_script("document.getElementById('hash').textContent = ''; location.hash = arguments[0]", link)
                self.wait(lambda name=name: self.browser.execute_script("return document.title").startswith(name), name)
                self.assertEqual(self.render(WIDTH, QUALITY), picture["pixel_hash"])
                self.assertEqual([one.text for one in self.browser.find_elements(By.CSS_SELECTOR, "#messages .error")], [])
        print(f"{len(self.names)} links have the pixels of their files; the longest has {longest} characters", flush=True)


if __name__ == "__main__":
    main(__doc__)
