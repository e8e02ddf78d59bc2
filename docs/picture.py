"""Makes the README's pictures: docs/profile.svg, what `hlo2tiny bench --profile` prints, and docs/view.png, a page of
`hlo2tiny view` in Chromium."""

from __future__ import annotations

import io
import json
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
MODEL = DOCS.parent / "corpus" / "benchmark" / "gpt2_small.mlir"
UNFOLDED = {"jit(gpt2)", "GPT2", "wpe", "wte", "wte.attend"}
KEPT = "stablehlo.dot_general"  # of such ops, the last is shown in the margin
CHROMIUM = "chromium --headless --no-sandbox --hide-scrollbars --window-size=1200,760".split()


def main() -> None:
    draw_profile()
    draw_page()


def draw_page() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run([sys.executable, "-m", "hlo2tiny", "view", MODEL, "-o", page], check=True)
        found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
        assert found is not None
        data = json.loads(found[1])
        scopes = ".".join(str(number) for number, (name, *_) in enumerate(data["scopes"]) if name in UNFOLDED)
        node = max(number for number, (name, *_) in enumerate(data["nodes"]) if name == KEPT)
        link = f"{page.as_uri()}#open={scopes}&colour=kind&node={node}"
        subprocess.run([*CHROMIUM, f"--screenshot={DOCS / 'view.png'}", link], check=True, capture_output=True)


def draw_profile() -> None:
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
