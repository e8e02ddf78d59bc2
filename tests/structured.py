"""Mutated programs: what MLIR's own verifier says of each, and what this package says.

`python tests/fuzz.py structured [--runs N] [--seed N] [--only OP,…] [--keep FOLDER] [--execute]` changes numbers,
types, shapes and names in valid text (`program_mutations.py`), and reads each mutant with MLIR and here. Reported are

- the share that `load` refuses of those that MLIR's verifier rejects and our parser takes, and by op and by MLIR's
  message those that it does not refuse, with a text of each in a folder;
- those that MLIR takes and `load` calls wrong, by op and by our message;
- what ends in anything but an error of this package, or takes too long: these are failures.

With `--execute`, mutants that both take also run, here and by XLA, each in a process of its own.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import time
import traceback
import warnings
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import inputs
import limits
import numpy as np
import oracles
from limits import Exceeded, limited
from program_mutations import Document, Pool, mutants, of_interest, without_places

TESTS = Path(__file__).parent
CORPUS = TESTS.parent / "corpus"
CONFORMANCE = TESTS.parents[1] / "shared" / "conformance"
LARGEST = 12_000  # characters of a program that is mutated
CALLS = 4  # of a test row, that differ in types or attributes
RUNS = 100_000  # without --runs and --seconds
SHARE = 0.97  # of what MLIR's verifier rejects that `load` is to refuse

# What MLIR says of text rather than of programs: here its parser and ours may differ.
OF_TEXT = re.compile(
    r"(?i:expected (?!both lhs)|custom op |use of |redefinition |undefined |unexpected |unknown |duplicate key|parsed |"
    r"cannot name|operation (?:being parsed|defines|location)|definition of SSA|region entry|tensor literal|elements |"
    r"integer (?:constant|literal|value)|floating point value|hexadecimal|inferred shape of elements|unregistered |"
    r"invalid (?:tensor element|dimension|kind of|memory)|number of (?:elements|operands)|integer is too|"
    r"reference to invalid|symbol |attribute '.*' (?:occurs|already)|`!|#|'[\w.]*' is |missing )"
)
# What MLIR rejects for reasons that are not the specification's: a pattern of its message, and the reason.
NOT_OURS = [
    (
        r"'sdy\.|\bmesh\b|number of operands and mappings must|expected a ranked tensor with a static shape\. type",
        "Shardy's annotations say where values are, and one process has all of them",
    ),
    (
        r"may only have dialect attributes|can only contain attributes with dialect-prefixed names",
        "how attributes beside the specification's are named",
    ),
    (
        r".* this operation has empty properties",
        "attributes that an op does not have are discardable, wherever they are",
    ),
    (
        r".*Invalid attribute `compar\w+` in property conversion: #\w+<",
        "the keywords of StableHLO, CHLO and MHLO are the same",
    ),
    (
        r"'builtin\.module' op requires one region",
        "how MLIR keeps an empty module",
    ),
    (
        r".* inferred type\(s\) ('[^']*') are incompatible with return type\(s\) of operation \1",
        "types that MLIR tells apart and prints alike: quantized constants of dense_resource",
    ),
    (
        r"'\w+\.constant' op result #0 must be statically shaped .*index>'",
        "sizes that are known become such constants, which are verified again",
    ),
    (
        r"'stablehlo\.rng' op inferred type",
        "a shape that is a value, if only a constant, is compared with the declared one when the op runs",
    ),
]
# What `load` refuses by design, though MLIR takes it: a pattern of our message, and the reason.
STRICTER_BY_DESIGN = [
    (r"custom_call: ", "MLIR knows nothing of the targets of custom calls"),
    (r"the module has no function", "MLIR takes libraries, a program has an entry"),
]

# ---------------------------------------------------------------- programs


def programs(only: Collection[str] = (), every: int = 1) -> dict[str, str]:
    """Valid programs, by where they come from: test rows, conformance cases, the corpus, and texts in tests."""
    paths = {f"corpus/{path.name}": path for path in sorted(CORPUS.glob("*.mlir"))}
    paths |= {f"conformance/{path.relative_to(CONFORMANCE)}": path for path in sorted(CONFORMANCE.rglob("*.mlir"))}
    found = {name: path.read_text("utf-8") for name, path in [*paths.items()][::every]}
    found |= of_rows(only, every) | dict([*in_tests().items()][::every]) | dynamic(every)
    return {name: text for name, text in found.items() if not only or any(op in text for op in only)}


def of_rows(only: Collection[str], every: int = 1) -> dict[str, str]:
    """The calls of the test rows, one program each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import rules.test_all_rules  # noqa: F401  (fills CASES)
        from rules.cases import CASES, results_of, text_of
        from rules.mlir import attribute_text, is_body, types_of

        found = {}
        for name, row in [*CASES.items()][::every]:
            if only and not {name, name.partition(".")[2]} & {*only}:
                continue
            seen = set()
            for call in row.examples:
                written = {n: v.text if is_body(v) else attribute_text(n, v) for n, v in call.attributes.items()}
                key = types_of(call.operands), str(written)
                if key not in seen and len(seen) < CALLS:
                    seen.add(key)
                    found[f"rows/{name}/{len(seen)}"] = text_of(row, [call], [results_of(row, call)])
    return found


def in_tests() -> dict[str, str]:
    """Programs that tests contain as they are."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "func.func" in node.value:
                found[f"{path.relative_to(TESTS)}:{node.lineno}"] = node.value
    return found


def dynamic(every: int = 1) -> dict[str, str]:
    """Exports with symbolic shapes."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    functions = {
        "reshape": lambda x: x.reshape(-1),
        "pad": lambda x: jnp.pad(x, ((1, 2), (0, 1))),
        "iota": lambda x: x + jnp.arange(x.shape[0], dtype=x.dtype)[:, None],
        "broadcast": lambda x: jnp.broadcast_to(x[:, :1], x.shape) * 2,
        "slice": lambda x: x[1:, ::2],
        "gather": lambda x: x[jnp.array([0, 1])],
        "dynamic_slice": lambda x: lax.dynamic_slice_in_dim(x, x.shape[0] - 1, 1),
        "concatenate": lambda x: jnp.concatenate([x, x]),
        "softmax": lambda x: jax.nn.softmax(x),
        "product": lambda x: x @ x.T,
        "while": lambda x: lax.fori_loop(0, x.shape[0], lambda i, y: y + i, x),
        "update": lambda x: x.at[0].set(1),
    }
    (b,) = jax.export.symbolic_shape("b")
    argument = jax.ShapeDtypeStruct((b, 4), "float32")
    return {
        f"dynamic/{name}": str(jax.export.export(jax.jit(function))(argument).mlir_module())
        for name, function in [*functions.items()][::every]
    }


@dataclass
class Seeds:
    names: list[str] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    pool: Pool = field(default_factory=Pool)
    invalid: dict[str, str] = field(default_factory=dict)  # those that MLIR does not take, with its words
    wrong: dict[str, str] = field(default_factory=dict)  # those that MLIR takes and `load` does not


def seeds_of(found: dict[str, str], only: Collection[str] = ()) -> Seeds:
    """The programs that MLIR takes, as they are and in generic form."""
    seeds = Seeds()
    for name, text in found.items():
        if len(text) > 10 * LARGEST:  # only `load` is asked
            if (ours := verdict(text)).kind != "valid":
                seeds.wrong[name] = ours.message
            continue
        text = without_places(text)
        if reason := mlir_verdict(text):
            seeds.invalid[name] = reason
            continue
        ours = verdict(text)
        if ours.kind not in ("valid", "UnsupportedOp"):
            seeds.wrong[name] = ours.message
            continue
        texts = [text]
        if not name.startswith("rows/"):
            texts += oracles.run("generic", text, [])  # type: ignore[arg-type]
        for number, each in enumerate(texts):
            if len(each) <= LARGEST:
                document = Document(each)
                if of_interest(document, only):
                    seeds.names.append(f"{name}{' (generic)' * number}")
                    seeds.documents.append(document)
    seeds.pool = Pool.of(seeds.documents)
    return seeds


# ---------------------------------------------------------------- verdicts


@dataclass(frozen=True)
class Verdict:
    """This package's verdict: "valid", the class of its error, or "failed" for any other error; and what caused it."""

    kind: str
    message: str = ""
    parsed: bool = True


def verdict(text: str) -> Verdict:
    """What `load` says of a text."""
    import hlo2tiny
    from hlo2tiny.program import Program

    parsed = False
    try:
        with limited():
            module = hlo2tiny.parse(text)
            parsed = True
            Program(module, "CPU")
    except hlo2tiny.Error as error:
        kind = "failed" if "cannot be handled" in error.message else type(error).__name__
        return Verdict(kind, str(error.message), parsed)
    except (Exception, Exceeded) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.name}"
        return Verdict("failed", f"{type(error).__name__} in {place}: {str(error)[:200]}", parsed)
    return Verdict("valid")


def mlir_verdict(text: str) -> str:
    """Why MLIR rejects a text; '' where it does not. What begins with "crashed" is not a verdict."""
    try:
        oracles.run("mlir", text, [], timeout=limits.SLOWEST)
    except oracles.Refused as error:
        reason = str(error)
        if "MLIRError" not in reason:
            return f"crashed: {reason}"
        first = re.search(r'error: (?:"-":\d+:\d+|[^:]*): (.*)', reason)
        return first[1] if first else reason
    return ""


def is_of_text(reason: str) -> bool:
    return bool(OF_TEXT.match(reason))


def pattern_of(message: str) -> str:
    """A message without what differs from program to program."""
    message = re.sub(r"'(?:tensor|!|complex|tuple|\()[^']*'", "'T'", message)
    message = re.sub(r"tensor<[^ ]*>|!\w[\w.]*(?:<[^ ]*>)?", "T", message)
    message = re.sub(r"%[\w.#]+", "%V", message)
    message = re.sub(r"complex<\w+>|\b(?:u?i|b?f)\d+\w*", "E", message)
    return re.sub(r"-?\d+", "N", message)[:160]


def op_of(reason: str, mutated: str) -> str:
    """The op that MLIR's message is about, or the one that was changed."""
    match = re.match(r"'([\w.]+)' op", reason)
    return match[1] if match else mutated


# ---------------------------------------------------------------- running

ITERATION = 10  # seconds for a program to be compiled and run
# Whose results are not defined, or only up to the numbers that the device draws.
UNDEFINED = re.compile(
    r"stablehlo\.rng\b|rng_algorithm DEFAULT|rng_algorithm = DEFAULT|replica_id|partition_id|custom_call"
)
OWN_ERRORS = ("VerifyError", "UnsupportedOp", "InputError", "ParseError")


def executed(text: str, seed: int) -> tuple[str, str]:
    """Run a mutant here and by XLA: what came out, in a few words, and the details of what is wrong.

    The words are "equal", "both refuse", "XLA refuses", "not run", "both take long",
    "unsupported"; or, where something is wrong,
    "crashed", "hung", "failed", "refused at the call" (though XLA runs it), "different".
    """
    import hlo2tiny

    types = inputs.signature(hlo2tiny.parse(text))
    if types is None:
        return "not run", ""
    arrays = inputs.plain(types, seed)
    found = run_by("hlo2tiny", text, arrays)
    if isinstance(found, str) and found.startswith("its process ended"):
        return "crashed", found
    if isinstance(found, str) and not found.startswith((*OWN_ERRORS, "no answer")):
        return "failed", found
    expected = run_by("xla", text, arrays)
    if isinstance(expected, str):
        if isinstance(found, str) and found.startswith("no answer"):
            return ("both take long", "") if expected.startswith("no answer") else ("hung", found)
        return ("both refuse", "") if isinstance(found, str) else ("XLA refuses", "")
    if isinstance(found, str) and found.startswith("UnsupportedOp"):
        return "unsupported", ""
    if isinstance(found, str):
        return ("hung" if found.startswith("no answer") else "refused at the call"), found
    if UNDEFINED.search(text):
        return "not run", ""
    return difference(found, expected)


def run_by(oracle: str, text: str, arrays: list[np.ndarray]) -> list[np.ndarray] | str:
    """The results, or why there are none."""
    try:
        return oracles.run(oracle, text, arrays, timeout=ITERATION)
    except oracles.Refused as error:
        return str(error)


def difference(found: list[np.ndarray], expected: list[np.ndarray]) -> tuple[str, str]:
    from hlo2tiny.commands.check import compare, half_of_the_digits, largest

    for number, (f, e) in enumerate(zip(found, expected, strict=True)):
        if (f.dtype, f.shape) != (e.dtype, e.shape):
            return "different", f"result {number} is {f.dtype}{f.shape}, XLA's {e.dtype}{e.shape}"
        amount = compare(f, e, half_of_the_digits(f.dtype), largest(e))
        if amount.beyond:
            return "different", f"result {number}, {f.dtype}{f.shape}, differs by {amount}"
    return "equal", ""


# ---------------------------------------------------------------- the mode


@dataclass
class Report:
    counts: Counter[str] = field(default_factory=Counter)
    mlir: Counter[str] = field(default_factory=Counter)
    by_op: defaultdict[str, Counter[tuple[str, bool]]] = field(default_factory=lambda: defaultdict(Counter))
    # For each item of a list: how many there are, and the file of the first one.
    listed: defaultdict[str, dict[tuple[str, str], list[Any]]] = field(default_factory=lambda: defaultdict(dict))
    folder: Path | None = None
    slowest: float = 0.0
    ran: Counter[str] = field(default_factory=Counter)

    def add(self, heading: str, op: str, message: str, text: str, note: str) -> None:
        entry = self.listed[heading].setdefault((op, pattern_of(message)), [0, ""])
        entry[0] += 1
        if entry[0] == 1 and self.folder is not None:
            name = re.sub(r"\W+", "_", f"{op} {pattern_of(message)}")[:80]
            path = (
                self.folder / heading.replace(" ", "-") / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:6]}.mlir"
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{note}\n{text}", encoding="utf-8")
            entry[1] = str(path)

    def share(self, kind: str, dialects: tuple[str, ...] = ("",)) -> tuple[int, int]:
        """How many texts `load` refuses of those that MLIR rejects, by its verifier or its parser, and all of those."""
        rows = [row for op, row in self.by_op.items() if op.startswith(dialects)]
        refused = sum(row[kind, True] for row in rows)
        return refused, refused + sum(row[kind, False] for row in rows)


WRONG = ("crashed", "hung", "failed", "refused at the call", "different")  # the possible outcomes of running a mutant
ACCEPTED, ACCEPTED_TEXT = "MLIR's verifier rejects and load accepts", "MLIR's parser rejects and load accepts"
STRICTER, UNPARSED, FAILED = (
    "MLIR takes and load refuses",
    "MLIR takes and our parser refuses",
    "other errors",
)


def judge(report: Report, text: str, op: str, what: str, source: str) -> tuple[str, Verdict]:
    """Ask both about one mutant, and record MLIR's reason and our verdict."""
    start = time.monotonic()
    ours = verdict(text)
    report.slowest = max(report.slowest, time.monotonic() - start)
    reason = mlir_verdict(text)
    note = f"// from {source}, {op}: {what}\n// MLIR: {reason or 'valid'}\n// here: {ours.kind} {ours.message}"
    note = "\n".join(line[:400] if line.startswith("//") else f"// {line[:400]}" for line in note.splitlines())
    report.counts[ours.kind] += 1
    if ours.kind == "failed":
        report.add(FAILED, "", ours.message, text, note)
    if reason.startswith("crashed"):
        report.mlir["crashed"] += 1
    elif reason:
        kind = "text" if is_of_text(reason) else "verifier"
        report.mlir[kind] += 1
        about = op_of(reason, op)
        if not ours.parsed:
            report.counts[f"{kind} unparsed"] += 1
        elif listed_in(NOT_OURS, reason):
            report.counts["not ours"] += 1
        elif ours.kind in ("valid", "failed"):
            report.counts[f"{kind} accepted"] += 1
            report.by_op[about][kind, False] += 1
            report.add(ACCEPTED if kind == "verifier" else ACCEPTED_TEXT, about, reason, text, note)
        else:
            report.counts[f"{kind} refused"] += 1
            report.by_op[about][kind, True] += 1
    else:
        report.mlir["valid"] += 1
        if ours.kind == "VerifyError" and listed_in(STRICTER_BY_DESIGN, ours.message):
            report.counts["strict by design"] += 1
        elif ours.kind not in ("valid", "failed"):
            report.counts[f"strict {ours.kind}"] += 1
            if ours.kind == "VerifyError":
                report.add(STRICTER, op, ours.message, text, note)
            elif ours.kind == "ParseError":
                report.add(UNPARSED, op, ours.message, text, note)
    return reason, ours


def listed_in(table: list[tuple[str, str]], message: str) -> bool:
    return any(re.search(pattern, message) for pattern, _ in table)


def run(options: Namespace) -> Report:
    """Mutate, ask, and print what came out."""
    only = {name for name in (options.only or "").split(",") if name}
    start = time.monotonic()
    found = programs(only, options.every)
    seeds = seeds_of(found, only)
    if not seeds.documents:
        raise SystemExit(f"no program has any of {', '.join(only)}")
    taken = len(found) - len(seeds.invalid)
    print(
        f"{len(found)} programs, of which MLIR takes {taken}, and of these load {taken - len(seeds.wrong)}; "
        f"{len(seeds.documents)} texts to mutate; {time.monotonic() - start:.0f} s",
        flush=True,
    )
    report = Report(folder=options.keep)
    for name, message in seeds.wrong.items():
        # A text in a test may be there because it is refused; the others must load.
        of_suite = name.startswith(("rows/", "conformance/", "corpus/", "dynamic/"))
        report.counts["valid programs refused"] += of_suite
        print(f"  refused{'' if of_suite else ' (a text in a test)'}: {name}: {message[:200]}")
    end = time.monotonic() + options.seconds
    number = 0
    for which, text, op, what in mutants(seeds.documents, seeds.pool, options.seed, only):
        if number >= options.runs or time.monotonic() > end:
            break
        reason, ours = judge(report, text, op, what, seeds.names[which])
        if options.execute and not reason and ours.kind == "valid":
            word, detail = executed(text, number)
            report.ran[word] += 1
            if detail:
                report.add(word, op, detail, text, f"// from {seeds.names[which]}, {op}: {what}\n// {detail[:400]!r}")
        number += 1
    print_report(report, number, time.monotonic() - start, options)
    return report


def print_report(report: Report, number: int, seconds: float, options: Namespace) -> None:
    ours = ", ".join(
        f"{report.counts[k]} {k}" for k in ("valid", "VerifyError", "ParseError", "UnsupportedOp", "InputError")
    )
    print(
        f"{number} mutants in {seconds:.0f} s, slowest {report.slowest:.2f} s: MLIR takes {report.mlir['valid']}, its "
        f"verifier rejects {report.mlir['verifier']}, its parser {report.mlir['text']}, it crashes at "
        f"{report.mlir['crashed']}; here: {ours}, {report.counts['failed']} failed"
    )
    if report.ran:
        print(f"run: {', '.join(f'{count} {word}' for word, count in report.ran.most_common())}")
    for heading in (FAILED, *WRONG, ACCEPTED, ACCEPTED_TEXT, STRICTER, UNPARSED):
        rows = sorted(report.listed[heading].items(), key=lambda row: (-row[1][0], row[0]))
        if not rows:
            continue
        print(f"\n{heading}: {sum(row[1][0] for row in rows)} in {len(rows)} kinds")
        for (op, message), (count, path) in rows[: options.listed]:
            print(f"  {count:5d} {op}: {message}{f'  [{path}]' if path else ''}")
        if len(rows) > options.listed:
            print(f"  … and {len(rows) - options.listed} more kinds")
    print()
    ops = sorted(report.by_op, key=lambda op: (-report.by_op[op]["verifier", False], op))
    listed = [
        f"{op} {report.by_op[op]['verifier', True]}/{sum(report.by_op[op]['verifier', x] for x in (True, False))}"
        for op in ops
        if report.by_op[op]["verifier", False]
    ]
    print(f"refused of those that MLIR's verifier rejects, by op: {', '.join(listed) or 'all'}\n")
    for words, kind, dialects in (
        ("MLIR's verifier rejects and our parser takes", "verifier", ("",)),
        ("these about ops of StableHLO, CHLO and functions", "verifier", ("stablehlo.", "chlo.", "func.", "builtin.")),
        ("MLIR's parser rejects and ours takes", "text", ("",)),
    ):
        refused, count = report.share(kind, dialects)
        print(f"of {count} that {words}, load refuses {refused}: {100 * refused / max(count, 1):.1f} %")
    kinds = ("VerifyError", "ParseError", "UnsupportedOp", "by design")
    strict = ", ".join(f"{report.counts[f'strict {kind}']} {kind}" for kind in kinds)
    print(f"of {report.mlir['valid']} that MLIR takes, load refuses: {strict}")
    if options.json:
        by_op: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for (op, message), (count, _) in report.listed[ACCEPTED].items():
            by_op[op][message] += count
        options.json.write_text(json.dumps(by_op, indent=1), encoding="utf-8")


def main(options: Namespace) -> int:
    report = run(options)
    wrong = report.counts["failed"] + report.counts["valid programs refused"]
    return int(bool(wrong or any(report.ran[word] for word in WRONG)))
