"""The table of targets: what a new one takes, and that nothing of a target is imported early."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import targets
from hlo2tiny.targets import Target, is_on_host, target_of, targets_of

TEXT = """
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.add %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
"""
X = np.ones(3, np.float32)

# The target of docs/extend/target.md, which prints the commands of a plan and computes nothing.
PAGE = Path(__file__).parents[2] / "docs" / "extend" / "target.md"
PRINTING = re.search(r'```python title="printing_target.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]


@pytest.fixture
def printing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "printing_target.py"
    file.write_text(PRINTING, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "printing_target", raising=False)
    monkeypatch.setattr(targets, "TARGETS", [*targets.TARGETS, Target("printing", "printing_target")])
    return file


def test_a_target_is_a_module_and_a_row(
    printing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hlo2tiny.load(TEXT, device="CPU").numpy(X)[0].tolist() == [2, 2, 2]
    assert "printing_target" not in sys.modules
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "printing")
    program = hlo2tiny.load(TEXT, device="CPU")
    assert program.numpy(X)[0].tolist() == [0, 0, 0]
    assert capsys.readouterr().out.splitlines()[1].startswith("  result 0 = kernels ")


def test_tinygrad_serves_where_a_target_gives_no_code(printing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printing.write_text(
        PRINTING.replace(
            "return Printer(plan)", "from hlo2tiny.targets import NotBuilt; raise NotBuilt('out of paper\\n')"
        ),
        encoding="utf-8",
    )
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "printing")
    program = hlo2tiny.load(TEXT, device="CPU")
    with pytest.warns(hlo2tiny.NoNativeCode, match=r"tinygrad's slower kernels run instead: out of paper$"):
        assert program.numpy(X)[0].tolist() == [2, 2, 2]
    assert program.numpy(X)[0].tolist() == [2, 2, 2]


def test_a_target_serves_its_devices_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert target_of("CPU").name == "c" and target_of("CL").name == "tinygrad"
    for named, cpu, other in [("tinygrad", "tinygrad", "tinygrad"), ("c", "c", "tinygrad"), ("", "c", "tinygrad")]:
        monkeypatch.setenv("HLO2TINY_EXECUTOR", named)
        assert (target_of("CPU").name, target_of("CL").name) == (cpu, other)


def test_rows_say_what_a_device_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for named in ("", "tinygrad"):  # whichever target runs its programs
        monkeypatch.setenv("HLO2TINY_EXECUTOR", named)
        rows = [targets_of(device)[0] for device in ("CPU", "CUDA", "CUDA:1", "CL")]
        assert [(row.on_host, row.borrows) for row in rows] == [
            (True, False),
            (False, True),
            (False, True),
            (False, False),
        ]


def test_several_devices_are_on_the_host_if_each_is() -> None:
    devices = ["CPU", ("CPU", "CPU"), ("CPU", "CL"), "CUDA:1"]
    assert [is_on_host(device) for device in devices] == [True, True, False, False]


def test_a_page_is_no_device_of_a_process() -> None:
    with pytest.raises(
        hlo2tiny.InputError, match=r"^web is a page in a browser, which `hlo2tiny compile FILE --target web"
    ):
        hlo2tiny.load(TEXT, device="web")


def test_the_table_imports_no_target() -> None:
    source = "import sys, hlo2tiny.targets as t; t.target_of('CPU'); print(*sys.modules)"
    found = subprocess.check_output([sys.executable, "-c", source], text=True).split()
    assert not {"tinygrad", "hlo2tiny.targets.c.native", "hlo2tiny.targets.tinygrad"} & set(found)
