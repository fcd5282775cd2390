#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads a state file of kiln's (docs/reference/kiln-file.md) and shows its sums as a plain picture.
   read_kiln.py FILE.kiln [OUT.ppm]     needs numpy and zstandard (Debian: python3-numpy python3-zstandard)"""
import struct, sys, zlib
import numpy, zstandard

def read_kiln(path):
    data = open(path, "rb").read()
    if data[:8] != b"\x89KILN\r\n\x1a" or struct.unpack_from("<I", data, 8) != (1,):
        raise ValueError("no state file of version 1")
    sections, at = [], 12
    while at < len(data):
        name, checksum, length = struct.unpack_from("<4sIQ", data, at)
        payload = data[at + 16 : at + 16 + length]
        if len(payload) != length or zlib.crc32(payload) != checksum:
            raise ValueError(f"byte {at}: section {name} is damaged")
        sections.append((name, payload))
        at += 16 + length
    head = dict(sections)[b"HEAD"]
    width, height, channels, supersample, gutter, fraction_bits, halves = struct.unpack_from("<7I", head)
    rows = [payload for name, payload in sections if name == b"SUMS"]
    sums = numpy.zeros((1 + halves, height, width, channels), "<u8")
    for i, row in enumerate(rows):  # of tiles
        half, y, at = i // -(-height // 64), i % -(-height // 64) * 64, 0
        for x in range(0, width, 64):
            (length,) = struct.unpack_from("<I", row, at)
            tile = sums[half, y : y + 64, x : x + 64]
            planes = numpy.frombuffer(zstandard.decompress(row[at + 4 : at + 4 + length]), "u1")
            planes = planes.reshape(channels, 8, -1).transpose(2, 0, 1)
            tile[...] = numpy.ascontiguousarray(planes).view("<u8").reshape(tile.shape)
            at += 4 + length
    done = numpy.frombuffer(dict(sections)[b"DONE"], "<u8").reshape(-1, 2)
    return {"sums": sums.sum(0), "gutter": gutter, "supersample": supersample, "scale": 255.0 * 2**fraction_bits,
            "units": done, "genome": dict(sections)[b"FLAM"].decode(), "record": dict(sections)[b"RECD"].decode()}

if __name__ == "__main__":
    state = read_kiln(sys.argv[1])
    sums, inner = state["sums"], slice(state["gutter"], -state["gutter"] or None)
    print(sums.shape[1], "x", sums.shape[0], "buckets,", int((state["units"][:, 1] - state["units"][:, 0]).sum()), "units")
    print("sums:", *sums.sum((0, 1)))
    if len(sys.argv) > 2:  # the logarithm of the light, for a first look
        light = numpy.log1p(sums[inner, inner, :3] / state["scale"])
        with open(sys.argv[2], "wb") as out:
            out.write(b"P6 %d %d 255\n" % (light.shape[1], light.shape[0]) + (255 * light / max(light.max(), 1e-9)).astype("u1").tobytes())
