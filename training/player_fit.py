"""Fits the evaluation of the player of General Orders to games that it played against itself.

    python -m training.player_fit DATA             # writes engine/data/player/MODE.toml and any.toml
    python -m training.player_fit DATA --check     # only measures, and draws docs/pictures/player-reliability.png

A logistic model for each mode by Newton's method: the chance that the faction to move wins, from a position's numbers,
with weights at a few numbers of turns left that are mixed between (`engine.orders.player.evaluation.KNOTS`). Weights
are held near those of all modes together (`any.toml`), and near those of the next knot. To check, each fifth of the
games is told by weights that are fitted to the other four.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.orders.player.evaluation import ANY, KNOTS, knot_share
from engine.orders.player.features import NAMES
from training.reliability import calibration_error, draw

Floats = npt.NDArray[np.float64]
FOLDS = 5
SMALL, NEAR, SMOOTH = 40.0, 300.0, 100.0
"""How firmly weights are held: all modes' to nought, a mode's to those of all, and each to those of the next knot."""
ROUNDS = 12


class Rows(NamedTuple):
    """Positions in numbers: measures [row, feature], the first knot and the share of the second, who won, the game."""

    measures: Floats
    knot: npt.NDArray[np.int64]
    share: Floats
    won: Floats
    game: npt.NDArray[np.int64]

    def only(self, chosen: npt.NDArray[np.bool_]) -> Rows:
        """Keep only the chosen rows, given as a mask."""
        return Rows(self.measures[chosen], self.knot[chosen], self.share[chosen], self.won[chosen], self.game[chosen])


def read_rows(paths: Sequence[Path]) -> Rows:
    """Read the rows of these files, one file after the other."""
    return joined([_read(path) for path in paths])


def _read(path: Path) -> Rows:
    with np.load(path) as file:
        places = np.array([knot_share(int(n)) for n in file["turns"]])
        return Rows(
            file["measures"].astype(np.float64),
            places[:, 0].astype(np.int64),
            places[:, 1],
            file["won"].astype(np.float64),
            file["game"].astype(np.int64),
        )


def joined(parts: Sequence[Rows]) -> Rows:
    """All rows, one part after the other."""
    return Rows(
        np.concatenate([part.measures for part in parts]),
        np.concatenate([part.knot for part in parts]),
        np.concatenate([part.share for part in parts]),
        np.concatenate([part.won for part in parts]),
        np.concatenate([part.game for part in parts]),
    )


def odds(rows: Rows, weights: Floats) -> Floats:
    """Return the logarithm of the odds that the model gives each row; weights [knot, feature]."""
    mixed_weights = (1 - rows.share)[:, None] * weights[rows.knot] + rows.share[:, None] * weights[rows.knot + 1]
    return np.asarray((rows.measures * mixed_weights).sum(axis=1))


def chances(rows: Rows, weights: Floats) -> Floats:
    """Return the chance to win that the model gives each row."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds(rows, weights), -30, 30))))


def fit(rows: Rows, towards: Floats, hold: float) -> Floats:
    """Fit the weights [knot, feature] that explain the rows, held near the weights `towards`."""
    knots, features = towards.shape
    scale = np.sqrt((rows.measures**2).mean(axis=0)) + 1e-3
    scaled = rows._replace(measures=rows.measures / scale)
    goal = towards * scale
    weights = goal.copy()
    penalty = _penalty(knots, features)
    for _ in range(ROUNDS):
        slope, bend = _slope_and_bend(scaled, weights)
        away = hold * (weights - goal).ravel() + penalty @ weights.ravel()
        bend += hold * np.eye(knots * features) + penalty
        step = np.linalg.solve(bend, slope - away)
        weights += step.reshape(weights.shape)
        if np.abs(step).max() < 1e-4:
            break
    return np.asarray(weights / scale)


def _penalty(knots: int, features: int) -> Floats:
    """Return what it costs that neighbouring knots differ, as a matrix over all weights."""
    steps = np.diff(np.eye(knots), axis=0)
    return np.asarray(SMOOTH * np.kron(steps.T @ steps, np.eye(features)))


def _slope_and_bend(rows: Rows, weights: Floats) -> tuple[Floats, Floats]:
    """Return the first and second derivatives of the likelihood, knot by knot: a row touches two knots only."""
    knots, features = weights.shape
    slope, bend = np.zeros((knots, features)), np.zeros((knots, features, knots, features))
    p = chances(rows, weights)
    for knot in range(knots - 1):
        here = rows.knot == knot
        x, share, off, curve = (
            rows.measures[here],
            rows.share[here],
            (rows.won - p)[here],
            (p * (1 - p))[here],
        )
        parts = ((knot, 1 - share), (knot + 1, share))
        for row, first in parts:
            slope[row] += x.T @ (off * first)
            for column, second in parts:
                bend[row, :, column, :] += (x * (curve * first * second)[:, None]).T @ x
    size = knots * features
    return slope.ravel(), bend.reshape(size, size)


def write_weights(path: Path, weights: Floats) -> None:
    """Write a table of weights in the form that the player reads."""
    knots = ", ".join(map(str, KNOTS))
    lines = [
        "# The evaluation of the player of General Orders, fitted to its own games (training/player_fit.py).",
        f"# For each number of a position its weights with {knots} turns left.",
        "[weights]",
        *(f'"{name}" = {[round(float(w), 4) + 0.0 for w in weights[:, at]]}' for at, name in enumerate(NAMES)),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fit_all(modes: Mapping[str, Rows]) -> dict[str, Floats]:
    """Fit the weights of all modes together, under the name ANY, and then of each mode, held near those."""
    pooled = fit(joined(list(modes.values())), np.zeros((len(KNOTS), len(NAMES))), SMALL)
    return {ANY: pooled, **{mode: fit(rows, pooled, NEAR) for mode, rows in modes.items()}}


def told(modes: Mapping[str, Rows]) -> dict[str, tuple[Floats, Floats]]:
    """For each mode the chances that each row is given by weights that have not seen its game, and who won."""
    found: dict[str, list[tuple[Floats, Floats]]] = {mode: [] for mode in modes}
    for fold in range(FOLDS):
        weights = fit_all({mode: rows.only(rows.game % FOLDS != fold) for mode, rows in modes.items()})
        for mode, rows in modes.items():
            held = rows.only(rows.game % FOLDS == fold)
            found[mode].append((chances(held, weights[mode]), held.won))
    return {mode: _joined(parts) for mode, parts in found.items()}


def _joined(parts: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    return np.concatenate([chance for chance, _ in parts]), np.concatenate([outcome for _, outcome in parts])


def main() -> None:
    """Fit all modes together, then each, and write the weights; or check them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true", help="measure on games held back, and draw the figure")
    parser.add_argument("--out", type=Path, default=Path("engine/data/player"))
    parser.add_argument("--figure", type=Path, default=Path("docs/pictures/player-reliability.png"))
    args = parser.parse_args()
    paths: dict[str, list[Path]] = {}
    for path in sorted(args.data.glob("*.npz")):
        paths.setdefault(path.stem.rsplit("-", 1)[0], []).append(path)
    modes = {mode: read_rows(files) for mode, files in paths.items()}
    if not args.check:
        for mode, weights in fit_all(modes).items():
            write_weights(args.out / f"{mode}.toml", weights)
        return
    panels = told(modes)
    for mode, (chance, won) in panels.items():
        games, error = len(set(modes[mode].game.tolist())), calibration_error(chance, won)
        print(f"{mode}: {games} games, {len(won)} positions, expected calibration error {error:.4f}")
    draw(args.figure, panels)


if __name__ == "__main__":
    main()
