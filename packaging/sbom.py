#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is linked into kiln's packages, with versions and licenses, as CycloneDX 1.5 in JSON.

  packaging/sbom.py VERSION COMMIT LICENSES [FILE...] > sbom.json

LICENSES is a folder of NAME.version files (packaging/libraries.sh writes them); what is no source of its own is asked of dpkg. The
same build gives the same text: time and number are those of the commit. FILEs are the packages, by their SHA-256.
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import uuid

ALL = ("deb", "tarball", "wheel", "windows", "web")
CARRIED = ("tarball", "wheel", "windows", "web")
PROGRAMS = ("deb", "tarball", "wheel", "windows")
# name of Debian's source, license (SPDX), the binary package that has its version here, and what has it inside
COMPONENTS = [
    ("tinyxml2", "Zlib", "libtinyxml2-dev", ALL),
    ("fmtlib", "MIT", "libfmt-dev", ALL),
    ("nlohmann-json3", "MIT", "nlohmann-json3-dev", ALL),
    ("libzstd", "BSD-3-Clause", "libzstd-dev", ALL),
    ("cli11", "BSD-3-Clause", "libcli11-dev", PROGRAMS),
    ("boost1.74", "BSL-1.0", "libboost1.74-dev", PROGRAMS),
    ("libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "libturbojpeg0-dev", PROGRAMS),
    ("openexr", "BSD-3-Clause", "libopenexr-dev", ("deb", "tarball", "wheel")),
    ("imath", "BSD-3-Clause", "libimath-dev", ("deb", "tarball", "wheel")),
    ("libpng1.6", "libpng-2.0", "libpng-dev", CARRIED),
    ("zlib", "Zlib", "zlib1g-dev", CARRIED),
    ("openssl", "Apache-2.0", "libssl-dev", ("tarball", "wheel")),
    ("gcc-12", "GPL-3.0-or-later WITH GCC-exception-3.1", "libstdc++-12-dev", ("tarball", "wheel", "windows")),
    ("pybind11", "BSD-3-Clause", None, ("wheel",)),
    ("mingw-w64", "ZPL-2.1", "mingw-w64-common", ("windows",)),
    ("nettle", "LGPL-3.0-or-later OR GPL-2.0-or-later", None, ("web",)),
    ("emscripten", "MIT OR NCSA", "emscripten", ("web",)),
]
KINDS = {".deb": "deb", "-Linux.tar.gz": "tarball", ".whl": "wheel", "-windows-x86_64.zip": "windows", "-web.tar.gz": "web"}


def kind_of(name):
    return next((kind for ending, kind in KINDS.items() if name.endswith(ending)), None)


def version_of(source, binary, licenses):
    """As the sources or packages of this machine say; empty where neither is here."""
    said = pathlib.Path(licenses) / f"{source}.version"
    if said.exists():
        return said.read_text().split("\t")[1].strip()
    if not binary:
        return ""
    asked = subprocess.run(["dpkg-query", "-W", "-f=${source:Version}", binary], capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""


def component(source, license_id, binary, kinds, licenses):
    version = version_of(source, binary, licenses)
    reference = f"pkg:deb/debian/{source}" + (f"@{version}" if version else "")
    part = {"type": "library", "bom-ref": reference, "name": source}
    if version:
        part["version"] = version
    part["licenses"] = [{"expression": license_id}]
    part["purl"] = reference + "?arch=source"
    part["properties"] = [{"name": "kiln:inside", "value": kind} for kind in kinds]
    return part


def main():
    version, commit, licenses, *files = sys.argv[1:]
    commit_id, seconds = commit.split("@")
    time = subprocess.run(["date", "-u", "-d", f"@{seconds}", "+%Y-%m-%dT%H:%M:%SZ"], capture_output=True, text=True, check=True)
    here = {kind_of(name) for name in files} - {None} or set(ALL)
    parts = [component(*row, licenses) for row in COMPONENTS if here & set(row[3])]
    me = f"pkg:generic/kiln@{version}"
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, f"{me}#{commit_id}")),
        "version": 1,
        "metadata": {
            "timestamp": time.stdout.strip(),
            "component": {"type": "application", "bom-ref": me, "name": "kiln", "version": version, "purl": me,
                          "licenses": [{"license": {"id": "MIT"}}],
                          "properties": [{"name": "kiln:commit", "value": commit_id}]},
        },
        "components": parts + [
            {"type": "file", "bom-ref": "file:" + pathlib.Path(name).name, "name": pathlib.Path(name).name,
             "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()}]}
            for name in sorted(files, key=lambda name: pathlib.Path(name).name)],
        "dependencies": [{"ref": me, "dependsOn": [part["bom-ref"] for part in parts]}]
        + [{"ref": "file:" + pathlib.Path(name).name,
            "dependsOn": [part["bom-ref"] for part in parts if {"name": "kiln:inside", "value": kind_of(name)} in part["properties"]]}
           for name in sorted(files, key=lambda name: pathlib.Path(name).name) if kind_of(name)],
    }
    json.dump(whole, sys.stdout, indent=1)
    print()


main()
