"""MLIR's string literals: bytes in quotes, with escapes."""

from __future__ import annotations

import re

ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{2})|(.))", re.DOTALL)
NAMED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unquote(literal: str) -> str:
    """The text of a quoted literal; bytes that are not UTF-8 become surrogates. ValueError for an unknown escape."""
    body = literal[1:-1]
    if "\\" not in body:
        return body

    def replace(match: re.Match[str]) -> str:
        digits, letter = match.groups()
        if digits:
            return chr(int(digits, 16))
        if letter not in NAMED:
            raise ValueError(
                f'a string holds the unknown escape \\{letter}; \\n \\t \\" \\\\ and two hexadecimal digits are allowed'
            )
        return NAMED[letter]

    # Escapes are single bytes, hence Latin-1; the unescaped parts are UTF-8 already.
    raw = b"".join(
        replace(m).encode("latin-1") if (m := ESCAPE.fullmatch(part)) else part.encode("utf-8", "surrogateescape")
        for part in re.split(r"(\\(?:[0-9A-Fa-f]{2}|.))", body, flags=re.DOTALL)
    )
    return raw.decode("utf-8", "surrogateescape")


def quote(text: str) -> str:
    """The literal for a text."""
    out = []
    for byte in text.encode("utf-8", "surrogateescape"):
        char = chr(byte)
        out.append(char if 32 <= byte < 127 and char not in '"\\' else f"\\{byte:02X}")
    return '"' + "".join(out) + '"'
