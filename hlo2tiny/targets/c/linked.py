"""Handlers that others compiled, in a program in C: what calls them, and how they are linked."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence

from ...errors import InputError
from ...plan.plan import Block, Host
from ...templates import c_string
from .. import STAGES
from ..handlers import Handler, describe
from .interface import encode

# What else model.h says if a program calls such handlers.
FAILED = """,
  MODEL_HANDLER_FAILED = 6 /* a handler of a library failed; model_failure says why */"""
FAILURE = """
/* How often the program calls handlers of libraries. */
#define MODEL_HANDLERS {count}

/* Why the last run of a context failed, or why there is no context, if it is null: the message of the handler. */
const char *model_failure(const model_context *context);
"""
SYMBOL = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def calls_text(calls: Sequence[tuple[Block, Host]], handlers: Mapping[str, Handler]) -> str:
    """The tables of what a program calls, and of what it passes: calls.c.

    Raises:
        InputError: a handler is a function of this process, or has a name that is not valid in C.
    """
    functions, names, descriptions, lines = list[str](), list[str](), list[int](), list[str]()
    declared: dict[str, None] = {}
    for number, (block, step) in enumerate(calls):
        handler, description = handlers[step.name[1:]], describe(step, block)
        for stage in STAGES:
            _, symbol = handler.symbols.get(stage, ("", ""))
            known = stage not in handler.stages or any(not symbol for _, symbol in handler.symbols.values())
            if not known and not SYMBOL.fullmatch(symbol):
                message = (
                    f"handler {step.name[1:]!r} has no name that C can call; name it, as in ffi={{…: 'lib.so:name'}}"
                )
                raise InputError(message)
            declared |= {f"extern model_function {symbol};": None} if symbol else {}
            functions.append(symbol or "0")
        names.append(c_string(encode(step.name[1:])))
        descriptions.append(len(description))
        lines.append(f"static const _Alignas(8) unsigned char description{number}[] = {{")
        lines += [f"  {', '.join(map(str, description[at : at + 24]))}," for at in range(0, len(description), 24)]
        lines.append("};")
    listed = ", ".join(f"(const char *)description{number}" for number in range(len(calls)))
    lines += [
        f"model_function *const model_handlers[] = {{{', '.join(functions)}}};",
        f"const char *const model_handler_names[] = {{{', '.join(names)}}};",
        f"const char *const model_descriptions[] = {{{listed}}};",
        f"const __INTPTR_TYPE__ model_description_sizes[] = {{{', '.join(map(str, descriptions))}}};",
    ]
    return "\n".join(["typedef void model_function(void);", *declared, *lines, ""])


def link_options(handlers: Mapping[str, Handler]) -> list[str]:
    """The options that link the libraries of handlers, and let the program find them where they are now."""
    files = dict.fromkeys(file for handler in handlers.values() for file, _ in handler.symbols.values())
    folders = dict.fromkeys(os.path.dirname(file) for file in files if os.path.dirname(file))
    kept = [] if sys.platform in ("darwin", "win32") else ["-Wl,--no-as-needed"]
    return [*kept, *files, *(f"-Wl,-rpath,{folder}" for folder in folders)]


def make_variable(options: Sequence[str]) -> str:
    """The libraries of handlers as a variable of make, which its caller may change."""
    value = " ".join(shlex.quote(option) for option in options).replace("$", "$$").replace("#", "\\#")
    comment = "# the libraries of the handlers that the program calls, on this machine"
    return f"\n{comment}\nHANDLERS = {value}\nLIBRARIES += $(HANDLERS)"
