"""Fits the evaluation of the player of General Orders to games that it played against itself.

    python -m training.player_fit DATA             # writes engine/data/player/MODE.toml and any.toml
    python -m training.player_fit DATA --check     # only measures, and draws docs/pictures/player-reliability.png

A logistic model for each mode by Newton's method: the chance that the faction to move wins, from a position's numbers,
with weights at a few numbers of turns left that are mixed between (`engine.orders.player.evaluation.KNOTS`). The
packaged weights are corrected: those of all modes alike, then each mode's, held near that; and near the next knot's.

A position is fitted to what its best turn seemed to be worth, mixed with what the next position is fitted to, and so
on up to who won (temporal differences, Sutton, 1988): `--trust` is the share of the latter. Outcomes alone (1) say
little of one position, and take many more games. To check, each fifth of the games is told by weights that are
corrected by the other four, beside the packaged ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from engine.orders.board import load_board
from engine.orders.player.evaluation import ANY, KNOTS, NAMES, knot_share, load_weights, table_for

Floats = npt.NDArray[np.float64]
FOLDS = 5
SMALL, NEAR, SMOOTH = 40.0, 300.0, 100.0
"""How firmly corrections are held: all modes' to nought, a mode's to that of all, and each to that of the next knot."""
TRUST = 0.9
"""How far what is fitted to is what came later, and not what the packaged weights said of the next position."""
ROUNDS = 12
BINS = 10
SIDE, MARGIN, LEFT, TOP = 220, 56, 34, 26
GROUND, INK, GRID, LINE, BARS = (250, 247, 240), (40, 40, 40), (215, 210, 200), (178, 58, 46), (222, 200, 180)


class Rows(NamedTuple):
    """Positions in numbers, game by game.

    Measures [row, feature], the first knot and the share of the second, the logarithm of the odds by the packaged
    weights, the chance that is fitted to, who won, and the game.
    """

    measures: Floats
    knot: npt.NDArray[np.int64]
    share: Floats
    base: Floats
    goal: Floats
    won: Floats
    game: npt.NDArray[np.int64]

    def only(self, chosen: npt.NDArray[np.bool_]) -> Rows:
        """Keep only the chosen rows, given as a mask."""
        measures, knot, share, base, goal, won, game = self
        return Rows(
            measures[chosen], knot[chosen], share[chosen], base[chosen], goal[chosen], won[chosen], game[chosen]
        )


def read_rows(paths: Sequence[Path], mode: str, trust: float = TRUST) -> Rows:
    """Read the rows of these files of a mode, one file after the other."""
    return joined([_read(path, np.array(table_for(load_board(mode))), trust) for path in paths])


def _read(path: Path, packaged: Floats, trust: float) -> Rows:
    with np.load(path) as file:
        places = np.array([knot_share(int(n)) for n in file["turns"]])
        measures, knot, share = file["measures"].astype(np.float64), places[:, 0].astype(np.int64), places[:, 1]
        won, game = file["won"].astype(np.float64), file["game"].astype(np.int64)
        goal = goals(file["ahead"].astype(np.float64), won, game, file["to_move"], trust)
    rows = Rows(measures, knot, share, np.zeros_like(won), goal, won, game)
    return rows._replace(base=odds(rows, packaged))


def goals(
    ahead: Floats, won: Floats, game: npt.NDArray[np.int64], to_move: npt.NDArray[np.int8], trust: float
) -> Floats:
    """Return what each row is fitted to: its chance one turn ahead, mixed by `trust` with the next row's goal.

    The goal after a game's last row is who won.
    """
    found = won.copy()
    for at in range(len(won) - 1, -1, -1):
        if at + 1 < len(won) and game[at] == game[at + 1]:
            found[at] = found[at + 1] if to_move[at] == to_move[at + 1] else 1 - found[at + 1]
        found[at] = (1 - trust) * ahead[at] + trust * found[at]
    return found


def joined(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, one part after the other."""
    return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def odds(rows: Rows, correction: Floats) -> Floats:
    """Return the logarithm of the odds that the corrected model gives each row; correction [knot, feature]."""
    mixed = (1 - rows.share)[:, None] * correction[rows.knot] + rows.share[:, None] * correction[rows.knot + 1]
    return np.asarray(rows.base + (rows.measures * mixed).sum(axis=1))


def chances(rows: Rows, correction: Floats) -> Floats:
    """Return the chance to win that the corrected model gives each row."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds(rows, correction), -30, 30))))


def fit(rows: Rows, towards: Floats, hold: float) -> Floats:
    """Fit the correction [knot, feature] by which the weights explain the rows, held near the correction `towards`."""
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
            (rows.goal - p)[here],
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
    """Fit the correction of all modes together, under the name ANY, and then of each mode, held near that."""
    pooled = fit(joined(list(modes.values())), np.zeros((len(KNOTS), len(NAMES))), SMALL)
    return {ANY: pooled, **{mode: fit(rows, pooled, NEAR) for mode, rows in modes.items()}}


def corrected(mode: str, correction: Floats) -> Floats:
    """Return the packaged weights of a mode, or of ANY, corrected."""
    return np.array(load_weights(ANY) if mode == ANY else table_for(load_board(mode))) + correction


def held_out_chances(modes: Mapping[str, Rows]) -> dict[str, tuple[Floats, Floats]]:
    """Return, by mode, each row's chance as told by weights that have not seen its game, and who won."""
    found = {mode: np.zeros_like(rows.won) for mode, rows in modes.items()}
    for fold in range(FOLDS):
        corrections = fit_all({mode: rows.only(rows.game % FOLDS != fold) for mode, rows in modes.items()})
        for mode, rows in modes.items():
            held = rows.game % FOLDS == fold
            found[mode][held] = chances(rows.only(held), corrections[mode])
    return {mode: (chance, modes[mode].won) for mode, chance in found.items()}


def figures(chance: Floats, won: Floats) -> str:
    """Return as text how well chances came true."""
    return (
        f"log loss {log_loss(chance, won):.4f}, Brier score {brier_score(chance, won):.4f},"
        f" expected calibration error {calibration_error(chance, won):.4f}"
    )


# ---- how well chances are calibrated ----------------------------------------------------------------


def by_bin(chance: Floats, won: Floats) -> Iterator[tuple[float, float, int]]:
    """Yield, for each of BINS equal ranges that isn't empty, the mean chance, how often it came true, and how many."""
    place = np.minimum((chance * BINS).astype(int), BINS - 1)
    for number in range(BINS):
        here = place == number
        if here.any():
            yield float(chance[here].mean()), float(won[here].mean()), int(here.sum())


def calibration_error(chance: Floats, won: Floats) -> float:
    """Return the expected calibration error: how far chances are from how often they came true, bin by bin.

    Bins are weighted by their sizes.
    """
    return sum(abs(said - true) * n for said, true, n in by_bin(chance, won)) / len(chance)


def log_loss(chance: Floats, won: Floats) -> float:
    """Return the mean negative logarithm of the chances of what came true; 0.693 is what knowing nothing costs."""
    said = np.clip(np.where(won > 0, chance, 1 - chance), 1e-9, 1.0)
    return float(-np.log(said).mean())


def brier_score(chance: Floats, won: Floats) -> float:
    """Return the mean square of how far chances are from what came true; 0.25 is what knowing nothing costs."""
    return float(((chance - won) ** 2).mean())


def draw(path: Path, panels: Mapping[str, tuple[Floats, Floats]]) -> None:
    """Draw a panel for each title: the share that came true over what was said, bars for how often it was said."""
    image = Image.new("RGB", (2 * (SIDE + MARGIN) + LEFT, (len(panels) + 1) // 2 * (SIDE + MARGIN) + TOP), GROUND)
    pen = ImageDraw.Draw(image)
    for at, (title, (chance, won)) in enumerate(panels.items()):
        corner = (LEFT + at % 2 * (SIDE + MARGIN), TOP + at // 2 * (SIDE + MARGIN))
        _panel(pen, corner, list(by_bin(chance, won)))
        pen.text((corner[0], corner[1] - 16), f"{title}: {calibration_error(chance, won):.3f}", fill=INK)
    image.save(path, optimize=True)


def _panel(pen: ImageDraw.ImageDraw, corner: tuple[int, int], bins: list[tuple[float, float, int]]) -> None:
    left, top = corner

    def place(x: float, y: float) -> tuple[float, float]:
        return left + SIDE * x, top + SIDE * (1 - y)

    most = max(n for _, _, n in bins)
    for said, _, n in bins:
        low = int(said * BINS) / BINS
        pen.rectangle([place(low + 0.01, 0.25 * n / most), place(low + 0.09, 0)], fill=BARS)
    for tick in range(0, 11, 2):
        share = tick / 10
        pen.line([place(share, 0), place(share, 1)], fill=GRID)
        pen.line([place(0, share), place(1, share)], fill=GRID)
        pen.text(place(share - 0.03, -0.02), f"{share:.1f}", fill=INK)
        pen.text((left - 24, place(0, share)[1] - 6), f"{share:.1f}", fill=INK)
    pen.line([place(0, 0), place(1, 1)], fill=INK)
    pen.line([place(said, true) for said, true, _ in bins], fill=LINE, width=2)
    for said, true, _ in bins:
        x, y = place(said, true)
        pen.ellipse([x - 4, y - 4, x + 4, y + 4], fill=LINE)


# ---- the command ---------------------------------------------------------------------------------------


def main() -> None:
    """Correct the weights of all modes together, then of each, and write them; or check them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--trust", type=float, default=TRUST, help="how far to trust later positions and the outcome")
    parser.add_argument("--check", action="store_true", help="measure on games held back, and draw the figure")
    parser.add_argument("--out", type=Path, default=Path("engine/data/player"))
    parser.add_argument("--figure", type=Path, default=Path("docs/pictures/player-reliability.png"))
    args = parser.parse_args()
    paths: dict[str, list[Path]] = {}
    for path in sorted(args.data.glob("*.npz")):
        paths.setdefault(path.stem.rsplit("-", 1)[0], []).append(path)
    modes = {mode: read_rows(files, mode, args.trust) for mode, files in paths.items()}
    if not args.check:
        weights = {mode: corrected(mode, correction) for mode, correction in fit_all(modes).items()}
        for mode, table in weights.items():
            write_weights(args.out / f"{mode}.toml", table)
        return
    panels = held_out_chances(modes)
    for mode, (chance, won) in panels.items():
        rows = modes[mode]
        print(f"{mode}: {len(set(rows.game.tolist()))} games, {len(won)} positions")
        print(f"  packaged: {figures(chances(rows, np.zeros((len(KNOTS), len(NAMES)))), won)}")
        print(f"  corrected by other games: {figures(chance, won)}")
    draw(args.figure, panels)


if __name__ == "__main__":
    main()
