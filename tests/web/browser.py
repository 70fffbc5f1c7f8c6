"""A headless Chromium for tests, driven over its pipe with the standard library alone.

The DevTools protocol over ``--remote-debugging-pipe``: JSON messages, each ended by a zero byte,
read by the browser on its descriptor 3 and written on 4.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import tempfile
import time
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_KEYS = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "Space": 32,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}
_TYPED = {"Enter": "\r", "Space": " "}
_PATIENCE = 60.0
_AUDIT = """axe.run(document, { resultTypes: ["violations"] }).then((found) =>
    found.violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary}`)))"""


class Browser:
    """One browser process; ``open`` gives a fresh page in it."""

    def __init__(self, program: str) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="rocsolid-web-", ignore_cleanup_errors=True
        )
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # moved out of the way of 3 and 4, which the browser expects to be its ends
        high_in, high_out = (
            fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs_in, theirs_out)
        )

        def place_ends() -> None:
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self._process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={self._folder.name}", "about:blank"],
            preexec_fn=place_ends,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for end in (theirs_in, theirs_out, high_in, high_out):
            os.close(end)
        self._rest = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            os.close(self._out)  # a browser whose pipe has closed ends itself
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)  # its own session, ours alone
            self._process.wait()
        finally:
            os.close(self._in)
            self._folder.cleanup()

    def call(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Send one command and wait for its answer; what happens meanwhile goes to ``events``."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            answer = self._read()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            if "method" in answer:  # and not the late answer of a page that has closed
                self.events.append(answer)

    def open(
        self,
        file: Path | str,
        *,
        width: int = 1280,
        height: int = 900,
        dark: bool = False,
        script: bool = True,
        query: str = "",
    ) -> Tab:
        """A page that shows a file, or an address, after it has loaded; ``query`` follows a "?"."""
        address = file if isinstance(file, str) else file.resolve().as_uri()
        address += f"?{query}" if query else ""
        return Tab(self, address, width=width, height=height, dark=dark, script=script)

    def _read(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser did not answer")
            part = os.read(self._in, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        decoded: dict[str, Any] = json.loads(message)
        return decoded


class Tab:
    """One page: its scripts, its keys, its picture, and what it complained about."""

    def __init__(
        self, browser: Browser, address: str, *, width: int, height: int, dark: bool, script: bool
    ) -> None:
        self._browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.size(width, height)
        self.media("", "dark" if dark else "light")
        self.call("Page.navigate", url=address)
        end = time.monotonic() + _PATIENCE
        while not self._happened("Page.loadEventFired"):
            if time.monotonic() > end:
                raise TimeoutError(f"{address} did not load")
            self.call("Page.getFrameTree")  # an answer brings the events before it
            time.sleep(0.02)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)

    def size(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def media(
        self, kind: str, scheme: str, motion: str = "no-preference", colours: str = "none"
    ) -> None:
        """``kind`` "print" or ""; ``scheme`` "light" or "dark"; ``colours`` "active" if forced."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
            {"name": "forced-colors", "value": colours},
        ]
        self.call("Emulation.setEmulatedMedia", media=kind, features=features)

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression (of a promise: what it comes to), as plain data."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def violations(self, axe: str) -> list[str]:
        """What axe-core finds wrong with the page as it stands; ``axe`` is its source."""
        self.evaluate(f"{axe}; 0")
        found: list[str] = self.evaluate(_AUDIT)
        return found

    def press(self, key: str) -> None:
        named = {"key": _TYPED.get(key, key), "code": key, "windowsVirtualKeyCode": _KEYS[key]}
        text = {"text": _TYPED[key]} if key in _TYPED else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", **named, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **named)

    def point(self, x: float, y: float, *, click: bool = False) -> None:
        """Move the mouse to a place of the window, and press it there."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        if click:
            for kind in ("mousePressed", "mouseReleased"):
                self.call(
                    "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
                )

    def screenshot(self, *, whole: bool = False) -> bytes:
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def pdf(self) -> bytes:
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def close(self) -> None:
        """A page that stays open takes memory until the browser ends."""
        self.call("Page.close")

    def complaints(self) -> list[str]:
        """Exceptions, console messages, and log entries (violations of the policy among them)."""
        self.evaluate("0")
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self._session:
                continue
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(str(params["args"]))
            elif event["method"] == "Log.entryAdded":
                found.append(str(params["entry"]))
        return found

    def _happened(self, method: str) -> bool:
        return any(
            event["method"] == method and event.get("sessionId") == self._session
            for event in self._browser.events
        )


def pixels(png: bytes) -> set[bytes]:
    """The distinct colours of a PNG with eight bits a channel, as Chromium writes it."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    if depth != 8 or kind not in (2, 6):
        raise ValueError(f"a PNG with depth {depth} and colour type {kind} is not expected")
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(data)
    step = 3 if kind == 2 else 4
    stride = width * step
    above = bytearray(stride)
    colours: set[bytes] = set()
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        _unfilter(raw[start], line, above, step)
        colours.update(bytes(line[i : i + step]) for i in range(0, stride, step))
        above = line
    return colours


def _unfilter(kind: int, line: bytearray, above: bytearray, step: int) -> None:
    """Undo one row's prediction (PNG specification, section 9)."""
    if kind == 0:
        return
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[i]
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            guess = min(
                (abs(above[i] - corner), 0, left),
                (abs(left - corner), 1, above[i]),
                (abs(left + above[i] - 2 * corner), 2, corner),
            )[2]
        line[i] = (line[i] + guess) & 255
