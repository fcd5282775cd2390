# SPDX-License-Identifier: MIT
"""The program that the package carries, for the command `kiln`."""

import os
import pathlib
import sys


def main():
    program = pathlib.Path(__file__).with_name("kiln")
    os.execv(program, [str(program), *sys.argv[1:]])
