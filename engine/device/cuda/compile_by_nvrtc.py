#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles a .cu file to device code by NVRTC, CUDA's run-time compiler, in place of nvcc: the library of an older CUDA is a
package of 90 MB for Python's pip, an older nvcc is a system. Drivers run machine code of all compilers of their CUDA's number
before the point, so what CUDA 12 made runs with drivers of 2023, and what CUDA 13 made with those of August 2025 and later.

  compile_by_nvrtc.py LIBRARY SOURCE OUTPUT sm_90|compute_120 OPTION...     machine code, or PTX
  compile_by_nvrtc.py LIBRARY --version                                      12.9
"""
import ctypes
import os
import re
import sys


def standard():
    """What kernels need of the standard library, which NVRTC has not: the text that a flame's own kernels get, too."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "jit/runtime_compiler.cpp"), encoding="utf-8") as file:
        return re.search(r'cstdint_text = R"\((.*?)\)"', file.read(), re.DOTALL).group(1).encode()


def main(library, *arguments):
    nvrtc = ctypes.CDLL(library)
    if arguments == ("--version",):
        major, minor = ctypes.c_int(), ctypes.c_int()
        checked(nvrtc, nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        print(f"{major.value}.{minor.value}")
        return
    source, output, arch, *options = arguments
    options = [f"--gpu-architecture={arch}", "-default-device", *options]
    with open(source, "rb") as file:
        text = file.read()
    headers = [b"cstddef", b"cstdint"]
    program = ctypes.c_void_p()
    checked(nvrtc, nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), len(headers),
                                            strings([standard()] * len(headers)), strings(headers)))
    result = nvrtc.nvrtcCompileProgram(program, len(options), strings([option.encode() for option in options]))
    log = bytes_of(nvrtc, "ProgramLog", program).rstrip(b"\0\n").decode()
    if log:
        print(log, file=sys.stderr)
    checked(nvrtc, result)
    code = bytes_of(nvrtc, "CUBIN", program) if arch.startswith("sm_") else bytes_of(nvrtc, "PTX", program).rstrip(b"\0")
    with open(output, "wb") as file:
        file.write(code)


def strings(values):
    return (ctypes.c_char_p * len(values))(*values)


def bytes_of(nvrtc, what, program):
    size = ctypes.c_size_t()
    checked(nvrtc, getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    checked(nvrtc, getattr(nvrtc, f"nvrtcGet{what}")(program, buffer))
    return buffer.raw


def checked(nvrtc, result):
    if result != 0:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        sys.exit(f"NVRTC: {nvrtc.nvrtcGetErrorString(result).decode()}")


main(*sys.argv[1:])
