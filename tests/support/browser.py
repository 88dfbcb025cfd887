"""Chromium without a window, driven by its DevTools protocol over a pipe: pages as a reader has them."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium (chromium) is not installed")
PATIENCE = 60.0
"""Seconds for an answer."""


class Browser:
    """A page in a browser. problems -- what the console and the page's own script have complained about."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._left = b""
        self._number = 0
        self._session: str | None = None
        self._loaded = False
        self.problems: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; events before it are noted."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._receive()
            if found.get("id") == self._number:
                assert "error" not in found, found["error"]
                result: dict[str, Any] = found["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            assert part, "the browser does not answer"
            self._left += part
        message, _, self._left = self._left.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        self._note(found)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        values = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                self.problems.append(str(values["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.problems.append(str(values["args"]))
            case "Log.entryAdded":
                self.problems.append(str(values["entry"]["text"]))
            case "Network.requestWillBeSent":
                self.requests.append(str(values["request"]["url"]))

    def open(self, page: Path, width: int = 1200, dark: bool = False, script: bool = True) -> None:
        """Load a page, and forget the problems of the one before."""
        self.problems.clear()
        self.requests.clear()
        self.send("Emulation.setScriptExecutionDisabled", value=not script)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.send("Page.navigate", url=page.resolve().as_uri())
        while not self._loaded:
            self._receive()

    def value(self, expression: str) -> Any:
        """Return the value of an expression on the page."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key."""
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Enter": 13, "End": 35}
        for kind in ("rawKeyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key])

    def screenshot(self, file: Path, whole: bool = True) -> None:
        """Write a picture of the page."""
        found = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """Run Chromium for a `with` block."""
    assert CHROMIUM is not None
    to_read, to_write = os.pipe(), os.pipe()  # what Chromium reads, and what it writes
    profile = tempfile.mkdtemp(prefix="gotools-chromium-")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage"]
    options += ["--hide-scrollbars", "--no-first-run", "--disable-extensions", f"--user-data-dir={profile}"]
    shell = 'exec "$@" 3<&"$IN" 4>&"$OUT"'
    done = subprocess.Popen(
        ["bash", "-c", shell, "bash", CHROMIUM, *options],
        pass_fds=(to_read[0], to_write[1]),
        env={**os.environ, "IN": str(to_read[0]), "OUT": str(to_write[1])},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read[0])
    os.close(to_write[1])
    try:
        yield Browser(to_write[0], to_read[1])
    finally:
        done.kill()
        done.wait()
        os.close(to_read[1])
        os.close(to_write[0])
        shutil.rmtree(profile, ignore_errors=True)
