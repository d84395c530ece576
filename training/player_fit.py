"""Fits the evaluation of the player of General Orders to games that it played against itself.

    python -m training.player_fit DATA                 # writes engine/data/player/MODE.toml and any.toml

A logistic model for each mode by Newton's method: the chance that the faction to move wins, from a position's numbers,
with weights at a few numbers of turns left that are mixed between (`engine.orders.player.evaluation.KNOTS`). Weights
are held near those of all modes together (`any.toml`), and near those of the next knot. Every HELD-th game is left out,
to measure by (`benchmarks.calibration`).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.orders.player.evaluation import ANY, KNOTS, mixed
from engine.orders.player.features import NAMES

Floats = npt.NDArray[np.float64]
HELD = 5
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
        """Some of the rows."""
        return Rows(self.measures[chosen], self.knot[chosen], self.share[chosen], self.won[chosen], self.game[chosen])


def read_rows(paths: Sequence[Path]) -> Rows:
    """The rows of these files, one after the other."""
    files = [np.load(path) for path in paths]
    turns = np.concatenate([file["turns"] for file in files])
    places = [mixed(int(n)) for n in turns]
    return Rows(
        np.concatenate([file["measures"] for file in files]).astype(np.float64),
        np.array([knot for knot, _ in places]),
        np.array([share for _, share in places]),
        np.concatenate([file["won"] for file in files]).astype(np.float64),
        np.concatenate([file["game"] for file in files]).astype(np.int64),
    )


def held_back(rows: Rows) -> npt.NDArray[np.bool_]:
    """Which rows are of games that are not fitted to."""
    return np.asarray(rows.game % HELD == 0)


def odds(rows: Rows, weights: Floats) -> Floats:
    """The logarithm of the odds that the model gives each row; weights [knot, feature]."""
    mixed_weights = (1 - rows.share)[:, None] * weights[rows.knot] + rows.share[:, None] * weights[rows.knot + 1]
    return np.asarray((rows.measures * mixed_weights).sum(axis=1))


def chances(rows: Rows, weights: Floats) -> Floats:
    """The chance to win that the model gives each row."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds(rows, weights), -30, 30))))


def fit(rows: Rows, towards: Floats, hold: float) -> Floats:
    """The weights [knot, feature] that explain the rows, held near others."""
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
    """What it costs that neighbouring knots differ, as a matrix over all weights."""
    steps = np.diff(np.eye(knots), axis=0)
    return np.asarray(SMOOTH * np.kron(steps.T @ steps, np.eye(features)))


def _slope_and_bend(rows: Rows, weights: Floats) -> tuple[Floats, Floats]:
    """The first and second derivatives of the likelihood, knot by knot: a row touches two knots only."""
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
        for one, first in parts:
            slope[one] += x.T @ (off * first)
            for other, second in parts:
                bend[one, :, other, :] += (x * (curve * first * second)[:, None]).T @ x
    size = knots * features
    return slope.ravel(), bend.reshape(size, size)


def loss(rows: Rows, weights: Floats) -> float:
    """The mean logarithmic loss of the model on these rows."""
    z = odds(rows, weights)
    return float(np.mean(np.logaddexp(0, z) - rows.won * z))


def calibration_error(chance: Floats, won: Floats, bins: int = 10) -> float:
    """The expected calibration error: how far off the mean chance of each of `bins` equal ranges is, by its rows."""
    place = np.minimum((chance * bins).astype(int), bins - 1)
    gaps = [abs(chance[place == b].mean() - won[place == b].mean()) * (place == b).sum() for b in set(place.tolist())]
    return float(sum(gaps) / len(chance))


def write_weights(path: Path, weights: Floats) -> None:
    """A table of weights as the player reads it."""
    knots = ", ".join(map(str, KNOTS))
    lines = [
        "# The evaluation of the player of General Orders, fitted to its own games (training/player_fit.py).",
        f"# For each number of a position its weights with {knots} turns left.",
        "[weights]",
        *(f'"{name}" = {[round(float(w), 4) + 0.0 for w in weights[:, at]]}' for at, name in enumerate(NAMES)),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Fit all modes together, then each, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("engine/data/player"))
    args = parser.parse_args()
    modes: dict[str, list[Path]] = {}
    for path in sorted(args.data.glob("*.npz")):
        modes.setdefault(path.stem.rsplit("-", 1)[0], []).append(path)
    every = read_rows([path for paths in modes.values() for path in paths])
    pooled = fit(every.only(~held_back(every)), np.zeros((len(KNOTS), len(NAMES))), SMALL)
    write_weights(args.out / f"{ANY}.toml", pooled)
    for mode, paths in modes.items():
        rows = read_rows(paths)
        held = held_back(rows)
        weights = fit(rows.only(~held), pooled, NEAR)
        write_weights(args.out / f"{mode}.toml", weights)
        test = rows.only(held)
        error = calibration_error(chances(test, weights), test.won)
        print(f"{mode}: {len(rows.won)} rows, loss {loss(test, weights):.4f}, calibration error {error:.4f}")


if __name__ == "__main__":
    main()
