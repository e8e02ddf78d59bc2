"""Makes the README's picture, docs/profile.svg: what `hlo2tiny bench --profile` prints."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

DOCS = Path(__file__).parent
COMMAND = "hlo2tiny bench flax_convnet.mlir --profile"
LINES, COLUMNS = 16, 112


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "flax_convnet.mlir").symlink_to(DOCS.parent / "corpus" / "flax_convnet.mlir")
        command = [sys.executable, "-m", *COMMAND.split()]
        printed = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text(f"$ {COMMAND}", style="bold"))
    for line in printed.splitlines()[:LINES]:
        console.print(Text(line[:COLUMNS]))
    # Without the fonts that a browser would fetch from elsewhere.
    picture = re.sub(r" *@font-face \{.*?\}\n", "", console.export_svg(title="hlo2tiny"), flags=re.DOTALL)
    (DOCS / "profile.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
