"""A sample of JAX's own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from suite import ARCHIVES

FILES = "lax_numpy linalg nn random_lax python_callback lax_control_flow lax_scipy"


@pytest.mark.ci
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not ARCHIVES.exists(), reason="shared/jax-tests is not here")
def test_a_sample_of_jaxs_tests() -> None:
    files = [f"{name}_test.py" for name in FILES.split()]
    command = [sys.executable, str(Path(__file__).with_name("suite.py")), "--tests", "110", "--seed", "2", *files]
    environment = os.environ | {"JAX_NUM_GENERATED_CASES": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
