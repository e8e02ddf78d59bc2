"""A sample of JAX's own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from suite import ARCHIVES

# Those whose tests take a second each, not ten; the night runs all, see .ci/night.
FILES = "dtypes array lax_vmap_op lax lax_numpy jax_jit"


@pytest.mark.ci
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not ARCHIVES.exists(), reason="shared/jax-tests is not here")
@pytest.mark.parametrize("part", ["1/2", "2/2"])
def test_a_sample_of_jaxs_tests(part: str) -> None:
    files = [f"{name}_test.py" for name in FILES.split()]
    command = [sys.executable, str(Path(__file__).with_name("suite.py")), "--tests", "400", "--seed", "2"]
    environment = os.environ | {"JAX_NUM_GENERATED_CASES": "1"}
    done = subprocess.run([*command, "--part", part, *files], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
