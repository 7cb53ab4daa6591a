"""How an exported model agrees with its fp32 form, and how long a statement takes on one core.

python -m training.agreement OUT_FOLDER --items FILES
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

import numpy as np

from .entailment import Asked, Entailment
from .entailment import FactText as Shown
from .items import read_items
from .sampling import likeness


def questions(paths: list[Path], most: int) -> list[Asked]:
    """Development claims, spread over all files."""
    asked: list[Asked] = []
    for item, development in read_items(paths):
        if development:
            for claim in item.claims[:3]:
                scores = likeness(claim.text, item.facts)
                order = sorted(range(len(item.facts)), key=lambda i: -scores[i])
                facts = [item.facts[i] for i in order]
                shown = [Shown(f.text, f.note, f.section, f.time, f.author) for f in facts]
                asked.append((claim.text, shown, item.as_of))
    step = max(1, len(asked) // most)
    return asked[::step][:most]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--full", type=Path, required=True, help="the fp32 model")
    parser.add_argument("--items", type=Path, nargs="+", required=True)
    parser.add_argument("--most", type=int, default=120)
    given = parser.parse_args()
    asked = questions(given.items, given.most)
    small = Entailment(given.out)
    begun, cpu = time.perf_counter(), time.process_time()
    quick = [small.read(*one).label for one in asked]
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    with tempfile.TemporaryDirectory() as folder:
        for name in ("config.json", "tokenizer.json"):
            shutil.copy(given.out / name, folder)
        shutil.copy(given.full, Path(folder) / "model.onnx")
        exact = [one.label for one in Entailment(Path(folder)).read_all(asked)]
    a, b = np.array(quick), np.array(exact)
    print(
        f"{len(asked)} statements: same label {(a.argmax(1) == b.argmax(1)).mean():.3f},"
        f" mean difference of P(supported) {np.abs(a[:, 0] - b[:, 0]).mean():.3f};"
        f" {1000 * cpu / len(asked):.1f} ms CPU, {1000 * wall / len(asked):.1f} ms wall a statement"
    )


if __name__ == "__main__":
    main()
