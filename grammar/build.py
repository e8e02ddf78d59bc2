"""What building the package adds to it: the parser's tables, and the code that programs share."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Where Linux describes the driver of NVIDIA's GPUs.
NVIDIA = Path("/proc/driver/nvidia")
# What compiles for them.
NVRTC = ("cuda-bindings", "nvidia-cuda-nvrtc")


class Tables(BuildHookInterface):
    """Writes grammar/tables.json and the folders `compiled` of hlo2tiny/targets, which git ignores.

    An editable installation has no compiled code, which any change of the source would make outdated.
    """

    @property
    def compiles(self) -> bool:
        """Whether the package can come with compiled code for the machine that builds it."""
        return self.target_name == "wheel" and sys.platform == "linux" and platform.machine() == "x86_64"

    def dependencies(self) -> list[str]:
        """What the compilation imports, a compiler if there is none, and nvrtc if there is an NVIDIA GPU."""
        if not self.compiles:
            return []
        core = self.metadata.core
        compilers = [*core.optional_dependencies["cc"]] if shutil.which("clang") is None else []
        if NVIDIA.exists():
            compilers += [x for x in core.optional_dependencies["cuda"] if x.startswith(NVRTC)]
        return [*core.dependencies, *compilers]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        path = Path(self.root, "hlo2tiny", "syntax", "tables.py")
        found = importlib.util.spec_from_file_location("tables", path)
        assert found is not None and found.loader is not None
        tables = importlib.util.module_from_spec(found)
        found.loader.exec_module(tables)
        target = Path(self.root, "grammar", tables.FILE)
        target.write_text(tables.as_json(tables.make_parser()), encoding="utf-8")
        build_data["force_include"][str(target)] = f"hlo2tiny/grammar/{tables.FILE}"
        if version == "standard" and self.compiles:
            targets = ["c", "cuda"] if importlib.util.find_spec("cuda") else ["c"]
            for target in targets:
                command = [sys.executable, "-m", f"hlo2tiny.targets.{target}"]
                # Without this code the package works as well: the first programs compile it.
                if subprocess.run(command, cwd=self.root, check=False).returncode:
                    self.app.display_warning("the wheel has no compiled code: first calls will take longer")
