"""Train the dice network on rendered windows: `python -m training.dice_train DATA OUT.onnx --steps 4000`.

Needs torch and onnx, which the program itself does not. Focal loss on gaussian peaks after Zhou et al., Objects as
Points, 2019, and cross entropy on the class at each peak. Every 20th table is held back, to judge by.
"""

from __future__ import annotations

import argparse
import time
from copy import deepcopy
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found]
from torch import Tensor, nn

from training.piece_net import write
from vision.dice.network import CELLS, CLASSES, EDGE_CELLS, LEAST_SPREAD, STRIDE, WINDOW_PX

Floats = npt.NDArray[np.float32]

HELD_BACK = 20
KINDS = len(CLASSES) + 1
INNER = EDGE_CELLS - 1
PEAK_CELLS = 0.9
KEEP = 0.998
SMOOTHING = 0.02
PATTERNED = 0.6
NOISY = 0.5


class DiceNet(nn.Module):  # type: ignore[misc]
    """Ten thousands of weights: two halvings, then five layers at a quarter of the size."""

    def __init__(self) -> None:
        super().__init__()
        width = 32
        self.fine = nn.Sequential(_layer(4, 16, 2), _layer(16, 16), _layer(16, width, 2))
        self.coarse = nn.ModuleList([_layer(width, width, dilation=d) for d in (1, 2, 3, 1)])
        self.head = nn.Sequential(_layer(width, width), nn.Conv2d(width, 1 + KINDS, 1))
        nn.init.constant_(self.head[1].bias[:1], -3.0)

    def forward(self, windows: Tensor) -> Tensor:
        """Return raw heat and classes (N, 5, 24, 24) for windows (N, 4, 96, 96)."""
        seen = self.fine(windows)
        for layer in self.coarse:
            seen = seen + layer(seen)
        return self.head(seen)


def _layer(before: int, after: int, stride: int = 1, dilation: int = 1) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )


class Pool:
    """Windows read so far from a folder that may still be growing."""

    def __init__(self, folder: Path, held_back: bool) -> None:
        self.folder, self.held_back = folder, held_back
        self.seen: set[Path] = set()
        self.windows: list[npt.NDArray[np.uint8]] = []
        self.leans: list[float] = []
        self.dice: list[Floats] = []

    def refresh(self) -> None:
        """Read the tables that have been added since."""
        for path in sorted(self.folder.glob("*.npz")):
            if path not in self.seen and (int(path.stem) % HELD_BACK == 0) == self.held_back:
                self.seen.add(path)
                with np.load(path) as data:
                    windows, leans, dice = (data[name] for name in ("windows", "leans", "dice"))
                self.windows += list(windows)
                self.leans += leans.tolist()
                self.dice += [dice[dice[:, 0] == index, 1:] for index in range(len(windows))]

    def batch(self, chosen: npt.ArrayLike, rng: np.random.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
        """Return the chosen windows as input, wanted heat, wanted classes (N, 24, 24), -1 for none; varied by `rng`."""
        inputs, heats, kinds = [], [], []
        for index in np.asarray(chosen).tolist():
            window, dice = self.windows[index].astype(np.float32), self.dice[index].copy()
            if rng is not None:
                window = with_pattern(window, rng) if not len(dice) and rng.random() < PATTERNED else window
                window, dice = vary_window(window, dice, rng)
            even = (window - window.mean(axis=(0, 1))) / (window.std() + LEAST_SPREAD)
            lean = np.full((1, WINDOW_PX, WINDOW_PX), self.leans[index], np.float32)
            inputs.append(np.concatenate([even.transpose(2, 0, 1), lean]))
            heat, kind = targets_of(dice)
            heats.append(heat)
            kinds.append(kind)
        return tuple(torch.from_numpy(np.stack(part)) for part in (inputs, heats, kinds))


def with_pattern(window: Floats, rng: np.random.Generator) -> Floats:
    """Draw something printed or shining, which might pass for pips, over a window without dice."""
    size, picture = WINDOW_PX, window.astype(np.uint8).copy()
    ground, ink = (tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(2))
    kind = rng.choice(["rings", "glint", "text", "sign"])
    at = (int(rng.integers(20, size - 20)), int(rng.integers(20, size - 20)))
    if kind == "glint":
        cv2.circle(picture, at, int(rng.integers(25, 90)), tuple(v // 3 for v in ground), -1, cv2.LINE_AA)
        axes = (int(rng.integers(2, 9)), int(rng.integers(2, 7)))
        cv2.ellipse(picture, at, axes, float(rng.uniform(0, 180)), 0, 360, (245, 248, 250), -1, cv2.LINE_AA)
    elif kind == "sign":
        corners = cv2.boxPoints((at, tuple(rng.uniform(12, 40, 2)), float(rng.uniform(0, 90))))
        cv2.fillPoly(picture, [corners.astype(np.int32)], ground, cv2.LINE_AA)
        cv2.circle(picture, at, int(rng.integers(3, 9)), ink, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
        cv2.putText(picture, "HQ4A"[int(rng.integers(4))], at, 0, float(rng.uniform(0.3, 0.9)), ink, 1, cv2.LINE_AA)
    else:
        corners = cv2.boxPoints((at, (126.0, 176.0), float(rng.uniform(0, 180))))
        cv2.fillPoly(picture, [corners.astype(np.int32)], ground, cv2.LINE_AA)
        step, radius, thick = int(rng.integers(9, 26)), int(rng.integers(2, 9)), int(rng.choice([-1, 1, 2]))
        for x in range(at[0] % step, size, step):
            for y in range(at[1] % step, size, step):
                if kind == "rings":
                    cv2.circle(picture, (x, y), radius, ink, thick, cv2.LINE_AA)
                else:
                    cv2.putText(picture, chr(int(rng.integers(48, 91))), (x, y), 0, step / 30, ink, 1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.6)))
    return np.asarray(soft, np.float32)


def vary_window(window: Floats, dice: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Mirror a window or not, change its colours, make it darker or lighter, and add other noise.

    Returns the window with the dice where they then lie.
    """
    if rng.random() < 0.5:
        window = window[:, ::-1]
        dice[:, 0] = WINDOW_PX - 1 - dice[:, 0]
    window = window[..., rng.permutation(3)] if rng.random() < 0.4 else window
    gain = rng.uniform(0.6, 1.4) * rng.normal(1, 0.08, 3)
    window = window * gain.astype(np.float32) + np.float32(rng.normal(0, 8))
    if rng.random() < NOISY:
        window = window + rng.standard_normal(window.shape, np.float32) * np.float32(rng.uniform(0, 8))
    return np.clip(window, 0, 255), dice


def targets_of(dice: Floats) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the heat and the classes that the network should answer for dice (M, 3): x, y, class."""
    heat, kinds = np.zeros((CELLS, CELLS), np.float32), np.full((CELLS, CELLS), -1, np.int64)
    rows, columns = np.mgrid[:CELLS, :CELLS]
    for x, y, kind in dice.tolist():
        at_x, at_y = (x - (STRIDE - 1) / 2) / STRIDE, (y - (STRIDE - 1) / 2) / STRIDE
        heat = np.maximum(heat, np.exp(-((rows - at_y) ** 2 + (columns - at_x) ** 2) / (2 * PEAK_CELLS**2)))
        row, column = round(at_y), round(at_x)
        if 0 <= row < CELLS and 0 <= column < CELLS:
            heat[row, column] = 1.0
            kinds[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = int(kind)
    return heat.astype(np.float32), kinds


def loss_of(scores: Tensor, heat: Tensor, kinds: Tensor) -> Tensor:
    """Return the loss: focal on the peaks of the inner part, cross entropy on the classes near them."""
    inner = (slice(None), slice(INNER, -INNER), slice(INNER, -INNER))
    peaks, want = scores[:, 0][inner], heat[inner]
    sure, hit = torch.sigmoid(peaks), (want >= 1).float()
    yes, no = nn.functional.logsigmoid(peaks), nn.functional.logsigmoid(-peaks)
    focal = -(hit * (1 - sure) ** 2 * yes + (1 - hit) * (1 - want) ** 4 * sure**2 * no).sum() / hit.sum().clamp(min=1)
    classes = scores[:, 1:].permute(0, 2, 3, 1)[inner]
    named = kinds[inner]
    entropy = nn.functional.cross_entropy(
        classes.reshape(-1, KINDS), named.reshape(-1), ignore_index=-1, label_smoothing=SMOOTHING
    )
    return focal + 2.0 * entropy


def judge(net: DiceNet, pool: Pool) -> str:
    """Return as text how many tops of held back tables are seen with at least 0.5, how many with the right class."""
    if not pool.windows:
        return "nothing held back yet"
    net.eval()
    rows = []
    with torch.no_grad():
        for start in range(0, len(pool.windows), 256):
            inputs, heat, kinds = pool.batch(range(start, min(start + 256, len(pool.windows))), None)
            scores = net(inputs)
            hit = heat >= 1
            hit[:, :EDGE_CELLS] = hit[:, -EDGE_CELLS:] = hit[:, :, :EDGE_CELLS] = hit[:, :, -EDGE_CELLS:] = False
            chances = torch.softmax(scores[:, 1:], 1).permute(0, 2, 3, 1)[hit]
            best, kind = chances.max(1)
            rows.append(torch.stack([torch.sigmoid(scores[:, 0])[hit], best, (kind == kinds[hit]).float()], 1))
    heat, best, right = torch.cat(rows).T
    sure = (best * heat > 0.9) & (right < 1)
    seen = (heat > 0.5).float().mean()
    return f"{len(heat)} tops, seen {seen:.4f}, right {right.mean():.4f}, surely wrong {int(sure.sum())}"


def train(wanted: argparse.Namespace) -> None:
    """Train by steps of AdamW under one cycle of the learning rate, and write the running mean of the weights."""
    rng = np.random.default_rng(wanted.seed)
    torch.manual_seed(wanted.seed)
    torch.set_num_threads(1)
    pool, judged = Pool(wanted.data, held_back=False), Pool(wanted.data, held_back=True)
    net = DiceNet().to(memory_format=torch.channels_last)
    if wanted.go_on:
        net.load_state_dict(torch.load(wanted.go_on))
    best = torch.optim.AdamW(net.parameters(), lr=wanted.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, wanted.rate, total_steps=wanted.steps, pct_start=0.1)
    steady, mean, begun = deepcopy(net), 0.0, time.monotonic()
    for step in range(wanted.steps):
        if step % wanted.every == 0:
            pool.refresh()
            judged.refresh()
            told = f"loss {mean:.4f} of {len(pool.windows)}: {judge(steady, judged)}"
            print(f"{step} {time.monotonic() - begun:.0f}s {told}", flush=True)
            save(steady, wanted.out)
        net.train()
        inputs, heat, kinds = pool.batch(rng.integers(len(pool.windows), size=wanted.batch), rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(inputs.contiguous(memory_format=torch.channels_last))
        loss = loss_of(scores.float(), heat, kinds)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        _follow(steady, net, min(KEEP, (step + 1) / (step + 10)))
        mean = float(loss.detach()) if step == 0 else 0.98 * mean + 0.02 * float(loss.detach())
    print(judge(steady, judged), flush=True)
    save(steady, wanted.out)


def _follow(steady: DiceNet, net: DiceNet, keep: float) -> None:
    with torch.no_grad():
        for mean, value in zip(steady.state_dict().values(), net.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.mul_(keep).add_(value, alpha=1 - keep)
            else:
                mean.copy_(value)


def save(net: DiceNet, path: Path) -> None:
    """Write the network as the program runs it, for any number of windows, and beside it to go on from."""
    net.eval()
    torch.save(net.state_dict(), path.with_suffix(".pt"))
    axes = {"windows": {0: "n"}, "scores": {0: "n"}}
    write(net, (torch.zeros(1, 4, WINDOW_PX, WINDOW_PX),), path, axes, halves=False)


def main() -> None:
    """Train as asked on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", type=Path, help="weights (.pt) to train further from")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
