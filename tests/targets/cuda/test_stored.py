"""What a process imports that finds its program for a GPU in the store."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import hlo2tiny.targets.cuda.team
print(*(name for name in sys.modules if name.startswith(("hlo2tiny.plan", "hlo2tiny.rules", "hlo2tiny.derivatives"))))
"""


def test_a_stored_program_needs_no_planning() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert not done.stdout.split()
