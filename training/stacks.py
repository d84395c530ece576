"""Train the closer look at stacks: `python -m training.stacks OUT DATA [DATA ...] --steps 6000`.

Needs torch and onnx, which the program itself does not. DATA are folders of rendered tables as `training.train` takes
them; OUT gets the model that `vision/reading/stacks.py` runs, and weights to `--go-on` from. Each disc is shown beside
the nearest single discs of its faction in another frame of its table, as the program shows it beside those of the
start.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found]
from torch import Tensor, nn

from training.piece_net import conv, load_model, settle, write
from training.render import Sample, read_table
from training.samples import restyled
from vision.geometry import Grid
from vision.reading.network import BRIGHTNESS, CLASSES, UP_GAIN, gains
from vision.reading.stacks import BOARD, CHANNELS, KNOWN, MODEL, NEAREST, PRINTED, SIDE, SINGLE, SINGLE_UP, UP

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Rng = np.random.Generator

TROOPS = tuple(index for index, (_, kind) in enumerate(CLASSES) if kind == "troop")
SLIP_PX = 2
HALF = SIDE // 2 + SLIP_PX
DEPTH = 110.0
"""Pictures wait as bytes: their brightness, 1 where the middle of a board is 0.45, times this."""
SINGLES_A_FRAME = 10
UNKNOWN = 0.08
HELD_BACK = 10
LOOKS = 2
"""In how many styles each table is shown."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A troop's surroundings (bytes, SIDE + 2 * SLIP_PX wide) on the board and on the empty one, and what it is."""

    board: Bytes
    printed: Bytes
    up: tuple[float, float]
    at_px: tuple[float, float]
    stacked: bool


Frames = list[list[Disc]]
"""The discs of one table and faction, frame by frame."""


def discs_of(path: Path, look: int) -> list[Frames]:
    """Return all discs in sight on a rendered table, in one style, for both factions."""
    frames = [_discs(sample) for sample in restyled(read_table(path), np.random.default_rng([int(path.stem), look]))]
    return [[frame[which] for frame in frames] for which in range(len(TROOPS))]


def _discs(sample: Sample) -> list[list[Disc]]:
    gain, empty_gain = gains(sample.board, sample.reference)
    board, printed = _pad_edges(sample.board, gain), _pad_edges(sample.reference, empty_gain)
    stacks = {(round(x, 2), round(y, 2)) for x, y, _, level, _ in sample.pieces.tolist() if level}
    rows, columns = sample.board.shape[:2]
    found: list[list[Disc]] = [[] for _ in TROOPS]
    for x, y, which, level, hidden in sample.pieces.tolist():
        column, row = round(x), round(y)
        inside = 0 <= column < columns and 0 <= row < rows
        if level or hidden or int(which) not in TROOPS or not inside:
            continue
        place = slice(row, row + 2 * HALF), slice(column, column + 2 * HALF)
        up = (Grid((1.0, 1.0)).mm([(x, y)])[0] - sample.camera[:2]) / sample.camera[2]
        stacked = (round(x, 2), round(y, 2)) in stacks
        disc = Disc(board[place].copy(), printed[place].copy(), (float(up[0]), float(up[1])), (x, y), stacked)
        found[TROOPS.index(int(which))].append(disc)
    return found


def _pad_edges(picture: Bytes, gain: npt.ArrayLike) -> Bytes:
    light = np.clip(picture * np.asarray(gain, np.float32) * DEPTH, 0, 255).astype(np.uint8)
    return np.asarray(cv2.copyMakeBorder(light, HALF, HALF, HALF, HALF, cv2.BORDER_REPLICATE), np.uint8)


def singles_near(disc: Disc, frame: list[Disc], rng: Rng) -> list[Disc]:
    """Draw some single discs of another frame and return the nearest; none where nothing is to be known."""
    known = [neighbour for neighbour in frame if not neighbour.stacked]
    if not known or rng.random() < UNKNOWN:
        return []
    some = [known[index] for index in rng.permutation(len(known))[:SINGLES_A_FRAME]]
    return sorted(some, key=lambda neighbour: float(np.hypot(*np.subtract(neighbour.at_px, disc.at_px))))[:NEAREST]


def seen_of(disc: Disc, near: list[Disc], slip: tuple[int, int]) -> Floats:
    """Return what the network sees, (CHANNELS, SIDE, SIDE), the disc off the middle by `slip` (0 to 2 * SLIP_PX)."""
    seen = np.zeros((CHANNELS, SIDE, SIDE), np.float32)
    seen[BOARD], seen[PRINTED] = (_cut_patch(picture, slip) - BRIGHTNESS for picture in (disc.board, disc.printed))
    seen[UP] = np.multiply(disc.up, UP_GAIN)[:, None, None]
    if near:
        middle = (SLIP_PX, SLIP_PX)
        seen[SINGLE] = np.mean(
            [_cut_patch(single.board, middle) - _cut_patch(single.printed, middle) for single in near], axis=0
        )
        seen[SINGLE_UP] = np.multiply(np.mean([single.up for single in near], axis=0), UP_GAIN)[:, None, None]
        seen[KNOWN] = 1
    return seen


def _cut_patch(picture: Bytes, slip: tuple[int, int]) -> Floats:
    part = picture[slip[0] : slip[0] + SIDE, slip[1] : slip[1] + SIDE]
    return np.asarray(part.transpose(2, 0, 1) / np.float32(DEPTH), np.float32)


def vary_patch(seen: Floats, rng: Rng) -> Floats:
    """Show a patch in other light, with noise, turned and mirrored."""
    light = (rng.normal(1, 0.06, 3) * rng.normal(1, 0.1)).astype(np.float32)[:, None, None]
    apart = rng.normal(1, 0.03, 3).astype(np.float32)[:, None, None]
    seen[BOARD] = (seen[BOARD] + BRIGHTNESS) * light * apart - BRIGHTNESS
    seen[PRINTED] = (seen[PRINTED] + BRIGHTNESS) * light - BRIGHTNESS
    seen[SINGLE] *= light
    if rng.random() < 0.5:
        seen[BOARD] += rng.normal(0, rng.uniform(0, 0.05), seen[BOARD].shape)
    if rng.random() < 0.5:
        seen = seen[:, :, ::-1].copy()
        seen[[UP.start, SINGLE_UP.start]] *= -1
    if rng.random() < 0.5:
        seen = seen[:, ::-1].copy()
        seen[[UP.start + 1, SINGLE_UP.start + 1]] *= -1
    if rng.random() < 0.5:
        order = np.arange(CHANNELS)
        order[UP], order[SINGLE_UP] = order[UP][::-1].copy(), order[SINGLE_UP][::-1].copy()
        seen = seen.transpose(0, 2, 1)[order].copy()
    return seen


class StackNet(nn.Module):  # type: ignore[misc]
    """A network from what is seen of a disc (N, CHANNELS, SIDE, SIDE) to log odds (N, 1, 1, 1), all convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = nn.Sequential(conv(CHANNELS, 20, 2), conv(20, 32, 2), conv(32, 32), conv(32, 48, 2), conv(48, 48))
        self.whole = nn.Sequential(nn.Conv2d(48, 48, 8), nn.ReLU(), nn.Dropout(0.2), nn.Conv2d(48, 1, 1))

    def forward(self, seen: Tensor) -> Tensor:
        """Return the log odds that a second disc stands on it."""
        answer: Tensor = self.whole(self.looks(seen))
        return answer


class Discs:
    """Discs to draw from: stacked ones and single ones, each with the frames of its table beside it."""

    def __init__(self, tables: list[Frames]) -> None:
        every = [(frames, number, disc) for frames in tables for number, frame in enumerate(frames) for disc in frame]
        self.of = {stacked: [pair for pair in every if pair[2].stacked is stacked] for stacked in (True, False)}

    def draw(self, stacked: bool, rng: Rng) -> Floats:
        """Draw one of them by lot, as the network sees it, varied."""
        frames, number, disc = self.of[stacked][int(rng.integers(len(self.of[stacked])))]
        others = [frame for index, frame in enumerate(frames) if index != number]
        near = singles_near(disc, others[int(rng.integers(len(others)))], rng) if others else []
        down, across = (int(side) for side in rng.integers(1, 2 * SLIP_PX, 2))
        return vary_patch(seen_of(disc, near, (down, across)), rng)

    def batch(self, size: int, rng: Rng) -> tuple[Tensor, Tensor]:
        """Draw a batch of discs, a third of them stacked, and return it with which are stacked, 0 or 1."""
        stacked = np.arange(size) < size // 3
        seen = np.stack([self.draw(bool(choice), rng) for choice in stacked])
        return torch.from_numpy(seen), torch.from_numpy(stacked.astype(np.float32))


def train(net: StackNet, discs: Discs, judged: Discs, wanted: argparse.Namespace) -> None:
    """Train the network by steps of AdamW under one cycle of the learning rate."""
    rng = np.random.default_rng(wanted.seed)
    best = torch.optim.AdamW(net.parameters(), lr=wanted.rate, weight_decay=1e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, wanted.rate, total_steps=wanted.steps, pct_start=0.1)
    begun = time.monotonic()
    for step in range(wanted.steps):
        seen, stacked = discs.batch(wanted.batch, rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(seen)
        loss = loss_of(scores, stacked)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        if step % 500 == 499:
            print(f"{step + 1} {time.monotonic() - begun:.0f}s held back {judge(net, judged):.4f}", flush=True)


def loss_of(scores: Tensor, stacked: Tensor) -> Tensor:
    """Return the cross entropy of the answers."""
    return nn.functional.binary_cross_entropy_with_logits(scores.float().flatten(), stacked)


def judge(net: StackNet, discs: Discs) -> float:
    """Return the mean loss on discs of the held back tables, the same each time."""
    net.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        rounds = [discs.batch(240, rng) for _ in range(4)]
        losses = [
            nn.functional.binary_cross_entropy_with_logits(net(seen).flatten(), wanted) for seen, wanted in rounds
        ]
    net.train()
    return float(np.mean([float(loss) for loss in losses]))


def main() -> None:
    """Train and write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--go-on", type=Path, help="weights to start from: a .pt, or the model")
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(wanted.seed)
    paths = sorted(path for folder in wanted.data for path in folder.glob("*.npz"))
    shown, judged = (
        Discs([frames for path in some for look in range(LOOKS) for frames in discs_of(path, look)])
        for some in ([path for n, path in enumerate(paths) if n % HELD_BACK], paths[::HELD_BACK])
    )
    net = StackNet()
    if wanted.go_on and wanted.go_on.suffix == ".onnx":
        load_model(net, wanted.go_on)
        some, _ = judged.batch(480, np.random.default_rng(wanted.seed))
        settle(net, lambda: net(some))
    elif wanted.go_on:
        net.load_state_dict(torch.load(wanted.go_on))
    train(net, shown, judged, wanted)
    wanted.out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), wanted.out / "stacks.pt")
    axes = {"seen": {0: "discs"}, "score": {0: "discs"}}
    write(net.eval(), (torch.zeros(1, CHANNELS, SIDE, SIDE),), wanted.out / MODEL, axes)


if __name__ == "__main__":
    main()
