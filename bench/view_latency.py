#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How soon `kiln view` shows an edit: starts it, drags an affine, counts what comes back.

    bench/view_latency.py build/kiln flames/conch.flam3 [--size 1920x1080] [--rate 60] [--seconds 10] [--edits affine,look]

A hand drags an affine or the camera, or changes the look; with scrub a loop of the flame is a film, over whose times it goes.
Every edit is stamped with its number, and every picture says which edit it shows. An edit's time is
that from before it is sent until the first picture with it, or a newer one, has come and is decoded
(libturbojpeg, where it is there, with a thread a stripe). Standard library only; docs/inside/live-inside.md has the protocol.
"""
import argparse
import concurrent.futures
import ctypes
import ctypes.util
import itertools
import json
import os
import re
import socket
import struct
import subprocess
import threading
import time


class Socket:
    """The client's end of a WebSocket."""

    def __init__(self, port, token):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)  # also of each answer
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lock = threading.Lock()
        self.reader = self.socket.makefile("rb", buffering=1 << 20)
        self.socket.sendall(
            f"GET /live?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.reader.readline()
        if b"101" not in status:
            raise SystemExit(f"no socket: {status!r}")
        while self.reader.readline() != b"\r\n":
            pass

    def send(self, message):
        """False where the other end is gone."""
        data = json.dumps(message).encode()
        size = len(data)
        head = b"\x81"
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += b"\xfe" + struct.pack(">H", size)
        else:
            head += b"\xff" + struct.pack(">Q", size)
        try:
            with self.lock:
                self.socket.sendall(head + b"\0\0\0\0" + data)  # a mask of zeros
        except OSError:
            return False
        return True

    def receive(self):
        """A text as an object, a picture as (head, bytes)."""
        payload, kind = b"", 0
        while True:
            first, size = self.reader.read(2)
            size &= 0x7F
            if size == 126:
                size = struct.unpack(">H", self.reader.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.reader.read(8))[0]
            kind = (first & 0x0F) or kind
            payload += self.reader.read(size)
            if not first & 0x80:
                continue
            if kind == 1:
                return json.loads(payload), b""
            if kind == 2:
                length = struct.unpack("<I", payload[:4])[0]
                return json.loads(payload[4 : 4 + length]), payload[4 + length :]
            payload = b""


class Decoder:
    """JPEG to pixels by libturbojpeg; does nothing where that is not there."""

    def __init__(self, threads):
        name = ctypes.util.find_library("turbojpeg")
        self.library = ctypes.CDLL(name) if name else None
        self.pool = concurrent.futures.ThreadPoolExecutor(threads)
        self.own = threading.local()
        self.pixels = ctypes.create_string_buffer(4)

    def decode(self, head, picture):
        """All stripes, each into its rows."""
        if not self.library or head["format"] != "jpeg":
            return
        width, stripes = head["width"], head["stripes"]
        if len(self.pixels) < 4 * width * head["height"]:
            self.pixels = ctypes.create_string_buffer(4 * width * head["height"])
        ends = itertools.accumulate(stripe["bytes"] for stripe in stripes)
        bottoms = itertools.accumulate(stripe["height"] for stripe in stripes)
        parts = [(picture[end - stripe["bytes"] : end], width, bottom - stripe["height"], stripe["height"])
                 for end, bottom, stripe in zip(ends, bottoms, stripes)]
        if any(self.pool.map(self.decode_stripe, parts)):
            raise SystemExit("a picture cannot be decoded")

    def decode_stripe(self, part):
        """Not 0 where it cannot be done."""
        data, width, top, height = part
        if not hasattr(self.own, "handle"):
            self.library.tjInitDecompress.restype = ctypes.c_void_p
            self.own.handle = ctypes.c_void_p(self.library.tjInitDecompress())
        rows = ctypes.c_void_p(ctypes.addressof(self.pixels) + 4 * width * top)
        return self.library.tjDecompress2(self.own.handle, data, ctypes.c_ulong(len(data)), rows, width, 0, height, 7, 0)


def share(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


class Drag:
    """Edits that go out at a steady rate, and what came back."""

    def __init__(self, pipe, flame, number, attribute):
        self.pipe, self.flame, self.number, self.attribute = pipe, flame, number, attribute
        self.sent = {}

    def edited(self, step):
        if self.attribute == "look":
            return re.sub(r'brightness="[^"]*"', f'brightness="{4 + 0.01 * step}"', self.flame, count=1)
        name, place = ("center", 0) if self.attribute == "camera" else ("coefs", 4)
        old = re.search(rf' {name}="([^"]*)"', self.flame)
        numbers = [float(text) for text in old[1].split()]
        numbers[place] += 0.0005 * step
        return self.flame.replace(old[0], f' {name}="' + " ".join(map(repr, numbers)) + '"', 1)

    def run(self, rate, seconds):
        texts = [self.edited(step) for step in range(int(rate * seconds))]
        start = time.perf_counter()
        for step, text in enumerate(texts):
            time.sleep(max(0.0, start + step / rate - time.perf_counter()))
            self.number += 1
            self.sent[self.number] = time.perf_counter()
            if not self.pipe.send({"type": "edit", "number": self.number, "gesture": 1, "flame": text}):
                return


class Scrub:
    """A hand that goes over the times of a film; the frames say which time they show."""

    def __init__(self, pipe, first):
        self.pipe, self.first, self.sent = pipe, first, {}

    def run(self, rate, seconds):
        start = time.perf_counter()
        for step in range(int(rate * seconds)):
            time.sleep(max(0.0, start + step / rate - time.perf_counter()))
            number = self.first + step + 1
            self.sent[number] = time.perf_counter()
            if not self.pipe.send({"type": "scrub", "time": number}):
                return


def measure(pipe, decoder, flame, first, attribute, rate, seconds):
    drag = Scrub(pipe, first) if attribute == "scrub" else Drag(pipe, flame, first, attribute)
    sender = threading.Thread(target=drag.run, args=(rate, seconds))
    sender.start()
    times, came, shown, heads, bytes_ = [], [], first, [], 0
    last = first + int(rate * seconds)
    while shown < last:
        head, picture = pipe.receive()
        if head["type"] == "message":
            raise SystemExit(head["text"])
        if head["type"] != "frame":
            continue
        decoder.decode(head, picture)
        now = time.perf_counter()
        pipe.send({"type": "shown", "frame": head["frame"]})
        number = int(head.get("time", 0)) if attribute == "scrub" else head["number"]
        if number <= shown:
            continue
        times += [now - drag.sent[one] for one in range(shown + 1, number + 1)]
        shown = number
        came.append(now)
        heads.append(head)
        bytes_ += len(picture)
    sender.join()
    duration = came[-1] - came[0] if len(came) > 1 else float("nan")
    middle = sorted(heads, key=lambda head: head["width"])[len(heads) // 2]
    return {
        "attribute": attribute,
        "edits": len(times),
        "frames": len(came),
        "frames_per_s": round((len(came) - 1) / duration, 1),
        "p50_ms": round(1000 * share(times, 0.5), 1),
        "p95_ms": round(1000 * share(times, 0.95), 1),
        "most_ms": round(1000 * max(times), 1),
        "render_p50_ms": round(share([head["ms"] for head in heads], 0.5), 1),
        "size": f'{middle["width"]}x{middle["height"]}',
        "samples_a_pixel": round(middle["quality"], 2),
        "mean_kilobytes": round(bytes_ / len(heads) / 1e3, 1),
    }


def run(args, say, stderr=None):
    """The results of all edits; what comes before them is said."""
    width, height = map(int, args.size.split("x"))
    start = time.perf_counter()
    program = subprocess.Popen([args.kiln, "view", args.flame, "--fit", args.size, "--no-browser", "--serve",
                                "127.0.0.1:0"] + args.view, stdout=subprocess.PIPE, stderr=stderr, text=True)
    try:
        address = program.stdout.readline().strip()
        if not address:
            raise SystemExit("kiln view did not start")
        port, token = re.fullmatch(r"http://127.0.0.1:(\d+)/\?token=(\w+)", address).groups()
        pipe, decoder = Socket(int(port), token), Decoder(args.decoders)
        pipe.send({"type": "view", "width": width, "height": height,
                   "budget_ms": args.budget or 800 / args.rate})
        flame, first_s, settled_s = None, None, None
        while settled_s is None:
            head, picture = pipe.receive()
            if head["type"] == "welcome":
                say({"device": head["device"], "decoded": decoder.library is not None, "decoders": args.decoders})
            if head["type"] == "flame":
                flame = head["flame"]
            if head["type"] == "frame":
                decoder.decode(head, picture)
                pipe.send({"type": "shown", "frame": head["frame"]})
                first_s = first_s or time.perf_counter() - start
                settled_s = time.perf_counter() - start if head["settled"] else None
        say({"first_picture_ms": round(1000 * first_s), "settled_ms": round(1000 * settled_s)})
        first, results = 0, []
        for attribute in args.edits.split(","):
            if attribute == "scrub":
                pipe.send({"type": "film", "make": "loop", "frames": int(args.rate * args.seconds)})
            results.append(measure(pipe, decoder, flame, 0 if attribute == "scrub" else first, attribute, args.rate,
                                   args.seconds))
            first += results[-1]["edits"]
            say(results[-1])
        with open(f"/proc/{program.pid}/status") as status:
            say({"memory_mb": round(int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1e3)})
        return results
    finally:
        program.terminate()
        program.wait()


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kiln")
    parser.add_argument("flame")
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--budget", type=float, default=0, help="ms a picture; 0: 0.8 of 1 / rate")
    parser.add_argument("--decoders", type=int, default=min(8, os.cpu_count()), help="threads that decode")
    parser.add_argument("--edits", default="affine,look", help="what is done: of affine, look, camera, scrub; scrub last")
    parser.add_argument("--view", nargs=argparse.REMAINDER, default=[], help="further words for kiln view")
    return parser.parse_args(words)


if __name__ == "__main__":
    run(arguments(), lambda what: print(json.dumps(what), flush=True))
