"""Answers like the `packaging` library; see ../versions-against-references.ts for the protocol."""

import sys
from base64 import b64decode

import packaging
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version


def compare(a, b):
    try:
        left, right = Version(a), Version(b)
    except InvalidVersion:
        return "?"
    return "<" if left < right else ">" if left > right else "="


def accepts(version, text):
    try:
        specifiers = SpecifierSet(text)
    except InvalidSpecifier:
        return "!"
    return "1" if specifiers.contains(version, prereleases=bool(specifiers.prereleases)) else "0"


def main():
    print(f"packaging {packaging.__version__}")
    for line in sys.stdin:
        kind, a, b = (b64decode(part).decode() for part in line.rstrip("\n").split(" "))
        print((compare if kind == "compare" else accepts)(a, b))


main()
