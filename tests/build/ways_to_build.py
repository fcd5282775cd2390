#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A compiler cache, precompiled headers, unity builds and nvcc change how fast kiln is built, and nothing else: each way is
configured (nothing is compiled), and what the compiler, the linker, ctest and an install are told has to be the same.
    tests/build/ways_to_build.py SOURCE_FOLDER [CMAKE_OPTION...]
A file of a unity build counts as the files that it includes, a file of precompiled headers as nothing; nvcc adds files and
tests, and takes none. That the files also compile in another way is for scripts/test --ways."""
import glob, json, os, re, shlex, shutil, subprocess, sys, tempfile

cached, uncached = "-DKILN_CCACHE=/usr/bin/env", "-DKILN_CCACHE=OFF"  # env: a launcher that every machine has
ways = {"as on a new machine": [uncached, "-DKILN_UNITY=ON"], "with a compiler cache": [cached, "-DKILN_UNITY=ON"],
        "file by file": [uncached, "-DKILN_UNITY=OFF"], "file by file with a cache": [cached, "-DKILN_UNITY=OFF"]}


def configure(source, folder, options):
    run = subprocess.run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DKILN_TESTS=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                          *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit(f"cmake {' '.join(options)} failed:\n{run.stdout[-2000:]}")


def sources_of(file):
    """Of a file that is compiled: itself, or what a file of a unity build includes."""
    if re.search(r"/cmake_pch\.hxx\.cxx$", file):
        return []
    if not re.search(r"/Unity/unity_\d+_[a-z]+\.[a-z]+$", file):
        return [file]
    return re.findall(r'^#include "(.*)"$', open(file).read(), re.M)


class Way:
    """What is told to whom, line by line, without what is the way's own."""

    def __init__(self, folder):
        self.folder, self.objects = folder, {}
        self.lines = self.compiled() | self.linked() | self.tested() | self.installed()

    def plain(self, text):
        return text.replace(self.folder, "BUILD").replace("/./", "/")

    def compiled(self):
        lines = set()
        for entry in json.load(open(self.folder + "/compile_commands.json")):
            words = shlex.split(entry["command"])
            made = words[words.index("-o") + 1]
            target = made.split(".dir/")[0]
            sources = sources_of(entry["file"])
            if sources:  # a precompiled header is none of the objects that somebody may ask for
                self.objects[made] = sources
            for i in range(len(words) - 1, -1, -1):
                if words[i] in ("-o", "-c", "-include") and words[i + 1].startswith((self.folder, os.path.dirname(made), target)):
                    del words[i:i + 2]
            words = [w for w in words if w not in ("/usr/bin/env", "-Winvalid-pch", "-c", entry["file"])]
            lines |= {self.plain(f"compile {target} {source}: {' '.join(words)}") for source in sources}
        return lines

    def from_objects(self, words):
        """Objects as the sources that they are of; what is no object of ours stays."""
        named = []
        for word in words:
            path = os.path.relpath(word, self.folder) if os.path.isabs(word) and word.startswith(self.folder) else word
            named += self.objects.get(os.path.normpath(path), [word])
        return self.plain(" ".join(sorted(named)))

    def linked(self):
        lines, name = set(), None
        for line in open(self.folder + "/build.ninja").read().replace("$\n", "").splitlines():
            if found := re.match(r"build ([^:]*): \w+_LINKER__\S+ ([^|]*)", line):
                name = found[1].split(" | ")[0]
                lines.add(f"link {name}: {self.from_objects(found[2].split())}")
            elif name and (found := re.match(r"  (LINK_\w+|LANGUAGE_\w+) = (.*)", line)):
                lines.add(self.plain(f"link {name}: {found[1]} {found[2]}"))
            elif not line.strip():
                name = None
        return lines

    def tested(self):
        said = json.loads(subprocess.run(["ctest", "--show-only=json-v1"], cwd=self.folder, stdout=subprocess.PIPE, check=True).stdout)
        return {self.plain(f"test {test['name']}: {self.from_objects(test.get('command', []))} "
                           f"{json.dumps(test.get('properties', []), sort_keys=True)}") for test in said["tests"]}

    def installed(self):
        lines = set()
        for path in glob.glob(self.folder + "/**/cmake_install.cmake", recursive=True):
            lines |= {self.plain(f"install {line.strip()}") for line in open(path) if not line.startswith("#")}
        return lines


def fail(name, lines):
    print(f"{name} is not the same; - as on a new machine, + {name}:")
    for line in sorted(lines, key=lambda l: l[2:])[:12]:
        print("  " + (line if len(line) < 1500 else line[:1500] + " ..."))
    return 1


def compare_nvcc(first, cuda):
    """All of a build without nvcc is there, but for the words that name CUDA; benchmarks compare more where it is."""
    def without(line):
        line = re.sub(r"-DKILN_(TEST_CUDA|HAS_CUDA|LEAST_CUDA|PTX_CUDA|DEVICE_CODE_ARCHS)=\S*|-(I|isystem ?)\S*cuda\S*", "", line)
        return " ".join(line.split())
    ours = {without(line) for line in first.lines if line.startswith(("compile", "test")) and "no_cuda.cpp" not in line
            and not line.startswith("compile bench/")}
    theirs = {without(line) for line in cuda.lines}
    missing = {re.sub(r" \S*no_cuda.cpp| \S*/cuda/\S*", "", line) for line in ours - theirs}
    return fail("with nvcc", {"- " + line for line in missing}) if missing else 0


def main():
    source, options = sys.argv[1], sys.argv[2:] + ["-DKILN_CPU_ISAS=native", "-DKILN_WERROR=ON"]
    if not shutil.which("ninja"):
        print("skipped: no ninja")
        return
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kiln-ways-") as scratch:
        scratch = os.path.realpath(scratch)
        first = None
        for number, (name, more) in enumerate(ways.items()):
            configure(source, f"{scratch}/{number}", options + more + ["-DKILN_CUDA=OFF"])
            way = Way(f"{scratch}/{number}")
            if not first:
                first = way
                kinds = {kind: sum(line.startswith(kind) for line in way.lines) for kind in ("compile", "link", "test", "install")}
                print(", ".join(f"{count} lines to {kind}" for kind, count in kinds.items()))
                if min(kinds.values()) < 10:
                    sys.exit("hardly anything was found: is this still what CMake writes?")
            elif way.lines != first.lines:
                failed += fail(name, {"- " + l for l in first.lines - way.lines} | {"+ " + l for l in way.lines - first.lines})
        nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        if os.path.exists(nvcc):
            configure(source, scratch + "/cuda", options + [uncached, "-DKILN_CUDA=ON", "-DCMAKE_CUDA_COMPILER=" + nvcc])
            failed += compare_nvcc(first, Way(scratch + "/cuda"))
        else:
            print("skipped: no nvcc")
    print(f"{failed} ways differ")
    sys.exit(failed > 0)


main()
