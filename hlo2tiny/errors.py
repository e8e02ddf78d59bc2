"""The errors of this package. An error about a file gives the location, shows the line, and says what to do.

model.mlir:12:7: stablehlo.add: operand 1 is tensor<3xf32>, expected tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
       ^
  in the model: jit(main)/Dense_0/add
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from functools import cached_property

from .records import dataclass

WIDEST_LINE = 160
# Characters that would affect a terminal or a page: controls except for tab and newline, line separators, marks that
# change the direction of text; and surrogates, which cannot be encoded.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    """A text in which names from files cannot control the terminal: ESC becomes \\x1b."""
    with suppress(UnicodeEncodeError):  # a path's bytes are UTF-8 even if the locale is not
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return UNPRINTABLE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def printable_name(name: str) -> str:
    """The same for a name, in which newlines and tabs are escaped too."""
    return printable(name).replace("\n", "\\n").replace("\t", "\\t")


def count_text(count: int, singular: str, plural: str = "") -> str:
    """1 argument, 2 arguments."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


@dataclass(eq=False)
class Source:
    """The text of a module, and the path that messages name.

    Large hexadecimal payloads are decoded before lexing and replaced by short placeholders. `cuts` lists where, as
    (offset in `text`, characters removed), so that messages give the positions of the file.
    """

    path: str
    text: str
    cuts: tuple[tuple[int, int], ...] = ()

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset in `text`, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        removed = sum(length for at, length in self.cuts if start <= at < offset)
        return line, offset - start + 1 + removed

    def excerpt(self, offset: int) -> tuple[str, int]:
        """The line around an offset, shortened to `WIDEST_LINE`, and where the caret goes."""
        start = self._line_starts[bisect_right(self._line_starts, offset) - 1]
        end = self.text.find("\n", offset)
        line = self.text[start : end if end >= 0 else len(self.text)].rstrip().replace("\0", "…")
        caret = offset - start
        indent = len(line) - len(line.lstrip())
        caret = max(caret - indent, 0)
        line, caret = printable(line[indent:]), len(printable(line[indent:][:caret]))
        if len(line) <= WIDEST_LINE:
            return line, caret
        first = max(0, min(caret - WIDEST_LINE // 2, len(line) - WIDEST_LINE))
        dots = "…" if first else ""
        return dots + line[first : first + WIDEST_LINE] + "…", caret - first + len(dots)

    def place_message(self, offset: int, message: str) -> str:
        """A message with its location, the line and a caret."""
        line, column = self.position(offset)
        excerpt, caret = self.excerpt(offset)
        return f"{self.path}:{line}:{column}: {message}\n  {excerpt}\n  {' ' * caret}^"


@dataclass(eq=False)
class BinarySource(Source):
    """A binary file, in which locations are offsets in bytes.

    `base` is what to add to an offset for messages, since a module may be part of another format. `describe` gives the
    text of what is at an offset, such as an op in generic form, or ''.
    """

    text: str = ""
    base: int = 0
    describe: Callable[[int], str] = field(default=lambda offset: "", repr=False)

    def place_message(self, offset: int, message: str) -> str:
        text = self.describe(offset)
        shown = f"\n  {text if len(text) <= WIDEST_LINE else text[:WIDEST_LINE] + '…'}" if text else ""
        return f"{self.path}: byte {self.base + offset}: {message}{shown}"


class Error(Exception):
    """Base of all errors of this package.

    Args:
        message: what was found, what was expected, what to do.
        source: the file, if the error is about one.
        offset: the offset in `source.text`, or in bytes for a binary file.
        place: the location's name in the user's model, from the file's locations.
    """

    def __init__(self, message: str, source: Source | None = None, offset: int | None = None, place: str = "") -> None:
        self.message, self.source, self.offset, self.place = message, source, offset, place
        super().__init__(printable(self._text()))

    @property
    def line(self) -> int | None:
        """The line in the file, from 1; None unless the error is about a location in a text."""
        return None if (place := self._position()) is None else place[0]

    @property
    def column(self) -> int | None:
        """The column in the file, from 1; None unless the error is about a location in a text."""
        return None if (place := self._position()) is None else place[1]

    def _position(self) -> tuple[int, int] | None:
        if self.source is None or self.offset is None or isinstance(self.source, BinarySource):
            return None
        return self.source.position(self.offset)

    def _text(self) -> str:
        if self.source is None:
            return self.message
        if self.offset is None:
            return f"{self.source.path}: {self.message}"
        text = self.source.place_message(self.offset, self.message)
        return text + (f"\n  in the model: {self.place}" if self.place else "")


class NoNativeCode(RuntimeWarning):
    """No native code, or none for all sizes, could be built, so that something slower is used. Results are the same."""


class ParseError(Error):
    """The file is damaged, or its format is unknown."""


class VerifyError(Error):
    """The module breaks a rule of SSA or of the StableHLO specification."""


class UnsupportedOp(Error):
    """The module is valid, but needs something that hlo2tiny or the device does not have."""


class NotLowered(UnsupportedOp):
    """tinygrad could not build the kernels of a region, which is a bug here or there."""


class InputError(Error):
    """Arguments, files or options do not fit, or this machine cannot do what was asked."""


# ---------------------------------------------------------------- what Python raises

# Exceptions whose messages are worth showing to the user; tinygrad asserts shapes.
TELLING = (ValueError, RuntimeError, AssertionError)
# What Python raises when a number, a name or a size in a file is not what the code expects.
FAULTS = (*TELLING, ArithmeticError, AttributeError, BufferError, LookupError, MemoryError, StopIteration, TypeError)


class reported:  # noqa: N801
    """`with reported(error_about):` turns what Python raises inside into an error of this package, with its location.

    It is used around the handling of an op or of a whole file. The exception becomes the error's cause, which `--debug`
    shows. Errors that already have a location, and exceptions that are not in `FAULTS`, pass through.

    Args:
        error_about: makes an error from a message and a class.
        kind: the class of the error for a Python exception.
    """

    __slots__ = ("error_about", "kind")

    def __init__(self, error_about: Callable[[str, type[Error]], Error], kind: type[Error] = VerifyError) -> None:
        self.error_about, self.kind = error_about, kind

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, Error):
            if error.source is None and not isinstance(error, InputError):
                raise self.error_about(error.message, type(error)) from error
        elif isinstance(error, FAULTS):
            kind = InputError if isinstance(error, MemoryError) else self.kind
            raise self.error_about(explain_fault(error), kind) from error


def about_file(source: Source, kind: type[Error] = VerifyError) -> reported:
    """`with about_file(source):` turns what Python raises inside into an error about this file."""
    return reported(lambda message, kind: kind(message, source), kind)


def explain_fault(error: Exception) -> str:
    """The message of an error for one of `FAULTS`."""
    if isinstance(error, MemoryError):
        return f"needs more memory than this machine has{f': {error}' if str(error) else ''}"
    if isinstance(error, TELLING) and not isinstance(error, RecursionError) and str(error):
        return str(error)
    name, text = type(error).__name__, str(error)
    if isinstance(error, OverflowError):
        return f"a number is too large: {text}"
    exception = f"{name}: {text}" if text else name
    return f"cannot be handled ({exception}): either the file is damaged, or this is a bug in hlo2tiny"
