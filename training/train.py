"""Train the piece network on rendered tables: `python -m training.train WEIGHTS DATA [DATA ...] --steps 30000`.

Needs torch and onnx, which the program itself does not. Writes WEIGHTS/pieces.pt (to go on from) and the two models
that the program runs, with the running mean of the weights. Focal loss on gaussian peaks after Zhou et al., Objects as
Points, 2019. Two crops of one table show each other how single pieces look there, or nothing is known of it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found]
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info  # type: ignore[import-not-found]

from training.piece_net import PieceNet, export, load_model, looks_of, settle
from training.samples import CROP, Crop, Sample, pair_of, read_table
from vision.reading.network import CLASSES, COVERED, FRAME_MODEL, PRINTED_MODEL, STACKED, THING

HELD_BACK = 25
"""Every so many-th table is kept for judging, never trained on."""
UNKNOWN = 0.2
KEEP = 0.999
REFRESH = 250
"""Batches after which folders are looked through for new tables."""


def loss_of(scores: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss on the peaks, cross entropy on what is covered and on stacks."""
    which = [*range(len(CLASSES)), THING]
    peaks = focal(scores[:, which], target[:, which], weight[:, which])
    return peaks + 2 * _cross_entropy(scores, target, weight, COVERED) + _cross_entropy(scores, target, weight, STACKED)


def focal(scores: Tensor, wanted: Tensor, given: Tensor) -> Tensor:
    """The focal loss of heat maps, (N, ...) each, for each peak in them; given: the weights."""
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
        """Read tables that are new."""
        for folder, tables in self.tables.items():
            for path in sorted(folder.glob("*.npz")):
                ours = (int(path.stem) % HELD_BACK == 0) == self.held_back
                if ours and path not in self.seen and len(tables) < self.most:
                    self.seen.add(path)
                    tables.append(read_table(path))

    def crops(self, pairs: int, rng: np.random.Generator) -> list[Crop]:
        """Random pairs of crops, one after the other."""
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
    """A batch of pairs of crops, of which those `known` are shown their partner's single pieces."""
    names = ("frame", "printed", "target", "weight")
    frame, printed, target, weight = (
        torch.from_numpy(np.stack([getattr(crop, name) for crop in crops])) for name in names
    )
    shown = [crops[index ^ 1].shown if tell else np.zeros((0, 3)) for index, tell in enumerate(known)]
    return Batch(frame, printed, target, weight, shown)


class Batches(IterableDataset[Batch]):  # type: ignore[misc]
    """Batches without end from a pool, made beside the training in a process of their own."""

    def __init__(self, pool: Pool, size: int, seed: int) -> None:
        self.pool, self.size, self.seed = pool, size, seed

    def __iter__(self) -> Iterator[Batch]:
        """Batches, with new tables read now and then."""
        cv2.setNumThreads(1)
        worker = get_worker_info()
        rng, count = np.random.default_rng([self.seed, 0 if worker is None else worker.id]), 0
        while True:
            if count % REFRESH == 0:
                self.pool.refresh()
            count += 1
            known = np.repeat(rng.random(self.size // 2) >= UNKNOWN, 2)
            yield batch_of(self.pool.crops(self.size // 2, rng), known)


def loss_on(net: PieceNet, batch: Batch) -> Tensor:
    """The loss on pairs of crops."""
    frame, printed, target, weight = (part.contiguous(memory_format=torch.channels_last) for part in batch[:4])
    partner = [index ^ 1 for index in range(len(frame))]
    with torch.autocast("cpu", torch.bfloat16):
        near, far = net.frame.features(frame, *net.printed(printed))
        looks = looks_of(near.float()[partner], far.float()[partner], [np.asarray(one) for one in batch.shown])
        scores = net.frame.scores(near, far, looks)
    return loss_of(scores.float(), target, weight)


def train(net: PieceNet, pool: Pool, judged: Pool, wanted: argparse.Namespace) -> None:
    """Steps of AdamW under one cycle of the learning rate, saved every so often."""
    loader = DataLoader(
        Batches(pool, wanted.batch, wanted.seed),
        batch_size=None,
        num_workers=wanted.loaders,
        multiprocessing_context="spawn",  # OpenCV's threads don't survive a fork
    )
    batches = iter(loader)
    best = torch.optim.AdamW(net.parameters(), lr=wanted.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, wanted.rate, total_steps=wanted.steps, pct_start=0.1)
    steady, mean, begun = deepcopy(net), 0.0, time.monotonic()
    for step in range(wanted.steps):
        loss = loss_on(net, next(batches))
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        follow(steady, net, min(KEEP, (step + 1) / (step + 10)))
        mean = float(loss.detach()) if step == 0 else 0.99 * mean + 0.01 * float(loss.detach())
        if step % wanted.every == wanted.every - 1:
            judged.refresh()
            said = " ".join(f"{known}: {judge(steady, judged, known):.4f}" for known in (True, False))
            print(f"{step + 1} {time.monotonic() - begun:.0f}s loss {mean:.4f} held back {said}", flush=True)
            save(net, steady, wanted.out)


def follow(steady: PieceNet, net: PieceNet, keep: float) -> None:
    """Move the running mean of the weights towards the weights."""
    with torch.no_grad():
        for mean, value in zip(steady.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - keep)


def judge(net: PieceNet, pool: Pool, known: bool) -> float:
    """Mean loss on the held back tables, the same crops each time."""
    if not any(pool.tables.values()):
        return float("nan")
    net.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        total = [float(loss_on(net, batch_of(pool.crops(8, rng), np.full(16, known)))) for _ in range(6)]
    return float(np.mean(total))


def save(net: PieceNet, steady: PieceNet, out: Path) -> None:
    """OUT/pieces.pt, and the models of the running mean."""
    out.mkdir(parents=True, exist_ok=True)
    torch.save({"last": net.state_dict(), "mean": steady.state_dict()}, out / "pieces.pt")
    export(steady, out, CROP)


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("data", nargs="+", help="FOLDER or FOLDER=WEIGHT")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--most", type=int, default=2000, help="tables of a folder kept in memory")
    parser.add_argument("--loaders", type=int, default=1, help="processes that make the batches")
    parser.add_argument("--go-on", type=Path, help="weights to start from: a .pt, or a folder of exported models")
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    torch.manual_seed(wanted.seed)
    net = PieceNet()
    folders = [(Path(name), float(weight or 1)) for name, _, weight in (one.partition("=") for one in wanted.data)]
    pool, judged = Pool(folders, False, wanted.most), Pool(folders, True, 40)
    judged.refresh()
    if wanted.go_on and wanted.go_on.is_dir():
        load_model(net.printed, wanted.go_on / PRINTED_MODEL)
        load_model(net.frame, wanted.go_on / FRAME_MODEL)
        some = batch_of(judged.crops(24, np.random.default_rng(wanted.seed)), np.full(48, True))
        settle(net, lambda: loss_on(net, some))
    elif wanted.go_on:
        net.load_state_dict(torch.load(wanted.go_on)["mean"])
    net = net.to(memory_format=torch.channels_last)
    train(net, pool, judged, wanted)


if __name__ == "__main__":
    main()
