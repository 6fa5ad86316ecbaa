# Answers like Conan 2; see ../versions.ts for the protocol.
import base64
import re
import sys

import conan
from conan.internal.model.version import Version
from conan.internal.model.version_range import VersionRange

VALID = re.compile(r"[a-z0-9_][a-z0-9_+.-]{0,100}\Z")


def compare(a, b):
    if not VALID.match(a) or not VALID.match(b):
        return "?"
    a, b = Version(a), Version(b)
    return "<" if a < b else ">" if b < a else "="


def accepts(version, text):
    if not text.isascii():
        return "!"
    try:
        parsed = VersionRange(text)
    except Exception:
        return "!"
    if not VALID.match(version):
        return "0"
    return "1" if parsed.contains(Version(version), None) else "0"


sys.stderr = open("/dev/null", "w")
print(f"Conan {conan.__version__}")
for line in sys.stdin:
    kind, a, b = (base64.b64decode(part).decode() for part in line.rstrip("\n").split(" "))
    print(compare(a, b) if kind == "compare" else accepts(a, b))
