# SPDX-License-Identifier: MIT
"""Firefox for tests that are written for Selenium, without geckodriver, which Debian does not have: what geckodriver does, to hand
each command on to the browser's own server (Marionette, a JSON text after its length and a colon), is all that is needed."""
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.webdriver import WebDriver

SECONDS = 60  # to start, and for the server to answer but for scripts
NAMES = {  # of Selenium: of Marionette
    Command.NEW_SESSION: "WebDriver:NewSession", Command.GET: "WebDriver:Navigate", Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.GET_TITLE: "WebDriver:GetTitle", Command.FIND_ELEMENT: "WebDriver:FindElement", Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.FIND_CHILD_ELEMENT: "WebDriver:FindElement", Command.FIND_CHILD_ELEMENTS: "WebDriver:FindElements",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript", Command.W3C_EXECUTE_SCRIPT_ASYNC: "WebDriver:ExecuteAsyncScript",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick", Command.CLEAR_ELEMENT: "WebDriver:ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys", Command.GET_ELEMENT_TEXT: "WebDriver:GetElementText",
    Command.GET_ELEMENT_TAG_NAME: "WebDriver:GetElementTagName", Command.IS_ELEMENT_ENABLED: "WebDriver:IsElementEnabled",
    Command.IS_ELEMENT_SELECTED: "WebDriver:IsElementSelected", Command.GET_ELEMENT_RECT: "WebDriver:GetElementRect",
    Command.GET_ELEMENT_ARIA_LABEL: "WebDriver:GetComputedLabel", Command.GET_ELEMENT_ARIA_ROLE: "WebDriver:GetComputedRole",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot", Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.GET_WINDOW_RECT: "WebDriver:GetWindowRect", Command.SET_TIMEOUTS: "WebDriver:SetTimeouts",
    Command.W3C_ACTIONS: "WebDriver:PerformActions", Command.W3C_CLEAR_ACTIONS: "WebDriver:ReleaseActions",
}


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Marionette:
    """Takes the place of Selenium's connection to a driver."""

    def __init__(self, process, port, profile):
        self.process, self.profile, self.numbers = process, profile, itertools.count(1)
        end = time.time() + SECONDS
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=600)
                break
            except OSError:
                if time.time() > end or process.poll() is not None:
                    raise
                time.sleep(0.1)
        self.stream = self.socket.makefile("rb")
        self.receive()  # what it is

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            byte = self.stream.read(1)
            if not byte:
                raise ConnectionError("Firefox has gone")
            size += byte
        return json.loads(self.stream.read(int(size[:-1])))

    def ask(self, name, params):
        number = next(self.numbers)
        message = json.dumps([0, number, name, params]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        while True:
            kind, answered, error, result = self.receive()
            if kind == 1 and answered == number:
                return error, result

    def execute(self, command, params):
        if command == Command.QUIT:
            return self.quit()
        params = {key: value for key, value in params.items() if key != "sessionId"}
        if command == Command.NEW_SESSION:
            params = {}
        if command in (Command.FIND_CHILD_ELEMENT, Command.FIND_CHILD_ELEMENTS):
            params["element"] = params.pop("id")
        if command == Command.SCREENSHOT:
            params = {"full": False}
        error, result = self.ask(NAMES[command], params)
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        is_boxed = isinstance(result, dict) and set(result) == {"value"}
        return {"status": 0, "value": result["value"] if is_boxed else result}

    def size_of_page(self, width, height):
        """Of the part of the window that shows the page, as narrow as a phone's, which no window can be; none: that of the window."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        try:
            error, _ = self.ask("WebDriver:ExecuteScript", {"args": [width, height], "script": """
                const {style} = gBrowser.selectedBrowser, [width, height] = arguments;
                for (const [name, value] of [['width', width], ['height', height], ['min-width', width && 0]])
                  if (width) style.setProperty(name, `${value}px`); else style.removeProperty(name);"""})
        finally:
            self.ask("Marionette:SetContext", {"value": "content"})
        if error:
            raise RuntimeError(error["message"])

    def close(self):
        self.stream.close()
        self.socket.close()

    def quit(self):
        try:
            self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        except ConnectionError:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)
        return {"status": 0, "value": None}


def program():
    return shutil.which("firefox-esr") or shutil.which("firefox")


def start_firefox(downloads):
    profile, port = tempfile.mkdtemp(prefix="kiln-firefox-"), free_port()
    settings = {"marionette.port": port, "browser.download.folderList": 2, "browser.download.dir": downloads,
                "browser.download.useDownloadDir": True, "browser.download.alwaysOpenPanel": False, "app.update.auto": False,
                "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
                "browser.startup.homepage_override.mstone": "ignore", "browser.startup.page": 0, "network.captive-portal-service.enabled": False,
                "browser.helperApps.neverAsk.saveToDisk": "image/png,application/xml", "ui.prefersReducedMotion": 1,
                "dom.events.testing.asyncClipboard": True}
    with open(f"{profile}/user.js", "w") as file:
        for name, value in settings.items():
            file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
    process = subprocess.Popen([program(), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "MOZ_HEADLESS": "1"})
    browser = WebDriver(Marionette(process, port, profile), options=Options())
    browser._is_remote = False  # files that are chosen lie on this machine
    return browser


class Options(ArgOptions):
    default_capabilities = {}

    def to_capabilities(self):
        return {}
