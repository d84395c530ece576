"""Average the weights of runs that went on from one another: `python -m training.average OUT RUN RUN ...`.

The mean of neighbouring runs is steadier on tables of another kind than either (Wortsman et al., Model soups, 2022).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch  # type: ignore[import-not-found]

from training.train import PieceNet, save


def main() -> None:
    """Read RUN/pieces.pt of each run, write OUT/pieces.pt and OUT/pieces.onnx."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    wanted = parser.parse_args()
    states = [torch.load(run / "pieces.pt") for run in wanted.runs]
    mean = {
        name: sum(state[name] for state in states) / len(states) if first.is_floating_point() else first
        for name, first in states[0].items()
    }
    net = PieceNet()
    net.load_state_dict(mean)
    save(net, wanted.out)


if __name__ == "__main__":
    main()
