"""A sample of JAX's own tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from suite import ARCHIVES

FILES = ("lax_numpy_test.py", "lax_control_flow_test.py", "nn_test.py")


@pytest.mark.ci
@pytest.mark.timeout(900)
@pytest.mark.skipif(not ARCHIVES.exists(), reason="shared/jax-tests is not here")
def test_a_sample_of_jaxs_tests() -> None:
    command = [sys.executable, str(Path(__file__).with_name("suite.py")), "--tests", "60", *FILES]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
