#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The modules of the page of kiln view, read without a browser: every import is there and used, every export is used by
another file, every name stands for something, main.js leads to every file, and neither files nor folders import in a circle.

    modules_test.py [FOLDER]      default: view/page
"""
import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../../view/page")
KNOWN = set("""as async await break catch class const continue default delete do else export extends false finally for from function
    get if import in instanceof let new null of return set static super switch this throw true try typeof undefined while
    Array Blob Boolean Date Error Event EventTarget File Infinity JSON Map Math Number Object Promise RegExp Set String TextDecoder
    TextEncoder URL URLSearchParams Uint8Array WeakMap encodeURIComponent globalThis
    CSS DOMMatrix DOMParser DOMPoint DataView ImageData IntersectionObserver MutationObserver Node OffscreenCanvas ResizeObserver WebSocket
    WheelEvent XMLSerializer addEventListener atob btoa cancelAnimationFrame clearInterval clearTimeout createImageBitmap document
    fetch getComputedStyle getSelection innerHeight innerWidth localStorage location matchMedia navigator performance
    removeEventListener requestAnimationFrame sessionStorage setInterval setTimeout""".split())
NAME = r"[A-Za-z_$][\w$]*"
WORDS = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"", re.S)
PATTERN = re.compile(r"(?<=[,=:?&|>] |.[(!])/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/\w*")
TEMPLATE = re.compile(r"[`}](?:\\.|[^`\\$]|\$(?!\{))*(`|\$\{)", re.S)


def bare(text):
    """The code alone: no comments, no texts, no patterns; of `...` what stands in its ${}."""
    code, open_braces, at = [], [], 0  # the braces of each ${} around
    while at < len(text):
        ends_hole = text[at] == "}" and open_braces and open_braces[-1] == 0
        template = (text[at] == "`" or ends_hole) and TEMPLATE.match(text, at)
        words = template or WORDS.match(text, at) or PATTERN.match(text, at)
        if ends_hole:
            open_braces.pop()
        if template and template[1] == "${":
            open_braces.append(0)
        if open_braces and not words:
            open_braces[-1] += {"{": 1, "}": -1}.get(text[at], 0)
        code.append(" ' " if words else text[at])
        at = words.end() if words else at + 1
    return "".join(code)


def bound(code):
    """The names that are declared anywhere in a file, as variables, functions, classes or parameters."""
    found = re.findall(rf"\b(?:function|class) ({NAME})|({NAME}) =(?![=>])|({NAME}) =>", code)
    names = {name for row in found for name in row}
    for part in re.findall(r"\b(?:const|let) ([^;=]*?)(?:;| =| of )", code):
        names |= set(re.findall(NAME, part))
    opened = []
    for mark in re.finditer(r"[(\[{]|[)\]}](?=( =(?![=>])| =>| \{)?)", code):  # a pattern that is assigned to, parameters
        if mark[0] in "([{":
            opened.append(mark.start())
            continue
        begin, kind = opened.pop(), (mark[1] or "").strip()
        before = re.search(rf"({NAME}) ?$", code[max(begin - 40, 0):begin])
        if (kind == "{" and mark[0][0] == ")" and before and before[1] not in ("if", "for", "while", "switch")) or kind in ("=", "=>"):
            names |= set(re.findall(NAME, code[begin:mark.start()])) | {before[1] if before else ""}
    return names


def look_for_circles(arrows, of_what):
    """Takes what imports nothing that is left, until nothing is left."""
    while arrows:
        left = {one: others & set(arrows) for one, others in arrows.items() if others & set(arrows)}
        if len(left) == len(arrows):
            problems.append(f"{of_what} import in a circle, or lead to one: {', '.join(sorted(left))}")
            return
        arrows = left


files = {os.path.relpath(os.path.join(folder, name), root): open(os.path.join(folder, name), encoding="utf-8").read()
         for folder, _, names in os.walk(root) for name in names if name.endswith(".js")}
exports = {file: set(re.findall(rf"^export (?:const|class|(?:async )?function) ({NAME})", text, re.M)) for file, text in files.items()}
tests = "".join(open(test.path, encoding="utf-8").read() for test in os.scandir(here) if test.name.endswith(".py"))
arrows, used, problems = {file: set() for file in files}, set(), []
for file, text in files.items():
    imported = set()
    for names, path in re.findall(r"^import \{(.*?)\} from '(.*?)';", text, re.M | re.S):
        other, names = os.path.normpath(os.path.join(os.path.dirname(file), path)), set(re.findall(NAME, names))
        arrows[file].add(other)
        problems += [f"{file}: {other} exports no {name}" for name in names - exports.get(other, set())]
        used |= {(other, name) for name in names}
        imported |= names
    code = bare(re.sub(r"^import .*?;$", "", text, flags=re.M | re.S))
    named = set(re.findall(rf"(?:(?<![\w$.#])|(?<=\.\.\.))({NAME})\b(?!:)", code))
    problems += [f"{file}: imports {name} and does not use it" for name in imported - named]
    problems += [f"{file}: nothing is called {name}" for name in named - imported - bound(code) - KNOWN]
problems += [f"{file}: nobody imports {name}" for file in files for name in exports[file]
             if (file, name) not in used and f"{{{name}}}" not in tests]
problems += [f"{file}: is no part of the page" for file in files if not exports[file] and file != "main.js"]
look_for_circles(arrows, "files")
folders = {os.path.dirname(file): set() for file in files}
for file, others in arrows.items():
    folders[os.path.dirname(file)] |= {os.path.dirname(other) for other in others} - {os.path.dirname(file)}
look_for_circles(folders, "folders")
print("\n".join(sorted(problems)) or f"{len(files)} files: all names are known, imports and exports meet")
sys.exit(bool(problems))
