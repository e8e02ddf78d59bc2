"""Fills in templates, and writes names from files, which are not trusted, as parts of other languages.

A template is filled in once, in one pass, so that nothing in a part is taken for a placeholder. JSON is
written by `output.json_bytes`, and by `script_json` where a page of HTML contains it. A page's script and that of the
folder for browsers read names from there, so no name is ever a part of JavaScript or TypeScript.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import Any


def fill(template: str, parts: Mapping[str, str]) -> str:
    """A template with each `@NAME@` replaced by the part of that name; there must be one."""
    return re.sub(r"@(\w+)@", lambda place: parts[place[1]], template)


def c_string(text: bytes) -> str:
    """A string literal of printable ASCII, with no trigraph and no escape that runs into the next character."""
    plain = (chr(c) if 32 <= c < 127 and chr(c) not in '"\\?' else f"\\{c:03o}" for c in text)
    return f'"{"".join(plain)}"'


def c_comment(text: str, most: int = 200) -> str:
    """The beginning of a text for a C or C++ comment, without the slash that ends or begins one."""
    return re.sub(r"[^A-Za-z0-9_.,:;()\[\]<>'= *+-]", "_", text[:most])


def script_json(value: Any) -> str:
    """JSON that can stand in a script element of HTML, which `</script>` or `<!--` would end."""
    return json.dumps(value, separators=(",", ":"), default=str).replace("<", "\\u003c")


# The words of C and C++, and what their headers and those of POSIX and Windows define as macros in small letters.
RESERVED = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl"
    " concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default"
    " delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long"
    " mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register"
    " reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch"
    " template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using"
    " virtual void volatile wchar_t while xor xor_eq"
    " cdecl complex environ errno exception_code far h_addr h_errno hyper i386 imaginary interface linux"
    " math_errhandling near noreturn pascal ru_first ru_last s6_addr s6_addr16 s6_addr32 s_addr s_host s_imp s_impno"
    " s_lh s_net sa_handler sa_sigaction sched_priority small stderr stdin stdout sun sv_onstack unix"
    " st_atime st_birthtime st_ctime st_mtime w_coredump w_retcode w_stopsig w_stopval w_termsig".split()
)
RESERVED_BEGINNINGS = ("si_", "sigev_", "atomic_")


class Identifiers:
    """Gives out identifiers that are words of neither C nor C++, macros of no standard header, and all different.

    Macros are mostly in capitals, so identifiers are not.
    """

    def __init__(self, others: Iterable[str]) -> None:
        """Takes the other identifiers of the code, which are not given out."""
        self.taken = {*RESERVED, *others}

    def add(self, name: str, otherwise: str, number: int) -> str:
        """An identifier like a name; `otherwise` with the number begins it if the name does not begin with a letter."""
        base = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:60].rstrip("_")
        base = base if base[:1].isalpha() else f"{otherwise}{number}{'_' * bool(base)}{base}"
        base = base.lower() if base[:2].isupper() else base
        base = f"{otherwise}_{base}" if base.startswith(RESERVED_BEGINNINGS) else base
        numbered = f"{base}_{number}"
        found = next(x for x in chain([base, numbered], (f"{numbered}_{i}" for i in count())) if x not in self.taken)
        self.taken.add(found)
        return found
