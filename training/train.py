"""Train the piece network on rendered tables: `python -m training.train DATA OUT --steps 20000`.

Needs torch and onnx, which the program itself does not. Writes OUT/pieces.pt (to go on from) and OUT/pieces.onnx, the
weights as half floats. Focal loss on gaussian peaks after Zhou et al., Objects as Points, 2019.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import onnx  # type: ignore[import-not-found]
import torch  # type: ignore[import-not-found]
from onnx import TensorProto, numpy_helper
from torch import Tensor, nn

from training.samples import CROP, Sample, crop_of, read_table
from vision.network import CLASSES, COVERED, STACKED

HELD_BACK = 25
"""Every so many-th table is kept for judging, never trained on."""


def conv(channels: int, out: int, stride: int = 1) -> nn.Sequential:
    """A 3x3 convolution with its normalisation (folded into it at export) and a ReLU."""
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.one = conv(channels, channels)
        self.two = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, seen: Tensor) -> Tensor:
        """(N, C, h, w) to the same."""
        return torch.relu(seen + self.two(self.one(seen)))


class PieceNet(nn.Module):  # type: ignore[misc]
    """(N, 8, H, W) to scores (N, 8, H / 4, W / 4): two scales, the coarse one for context."""

    def __init__(self, fine: int = 32, coarse: int = 64) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(8, 16, 2), conv(16, fine, 2), Residual(fine))
        self.down = nn.Sequential(conv(fine, coarse, 2), Residual(coarse), Residual(coarse))
        self.up = nn.Sequential(nn.Conv2d(coarse, fine, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.head = nn.Sequential(Residual(fine), nn.Conv2d(fine, len(CLASSES) + 2, 1))
        nn.init.constant_(self.head[1].bias, -4.0)

    def forward(self, seen: Tensor) -> Tensor:
        """Scores before the sigmoid."""
        fine = self.stem(seen)
        scores: Tensor = self.head(torch.relu(fine + self.up(self.down(fine))))
        return scores


def loss_of(scores: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss on the peaks, cross entropy on what is covered and on stacks."""
    count = len(CLASSES)
    peaks, wanted, given = scores[:, :count], target[:, :count], weight[:, :count]
    log_yes, log_no = nn.functional.logsigmoid(peaks), nn.functional.logsigmoid(-peaks)
    sure = torch.sigmoid(peaks)
    hit = (wanted >= 1).float()
    gain = -(hit * (1 - sure) ** 2 * log_yes + (1 - hit) * (1 - wanted) ** 4 * sure**2 * log_no) * given
    focal = gain.sum() / hit.sum().clamp(min=1)
    cover = _crossed(scores, target, weight, COVERED)
    return focal + 2 * cover + 0.5 * _crossed(scores, target, weight, STACKED)


def _crossed(scores: Tensor, target: Tensor, weight: Tensor, which: int) -> Tensor:
    each = nn.functional.binary_cross_entropy_with_logits(scores[:, which], target[:, which], reduction="none")
    return (each * weight[:, which]).sum() / weight[:, which].sum().clamp(min=1)


class Pool:
    """Samples read so far from a folder that may still be growing."""

    def __init__(self, folder: Path, held_back: bool, most: int) -> None:
        self.folder, self.held_back, self.most = folder, held_back, most
        self.seen: set[Path] = set()
        self.samples: list[Sample] = []

    def refresh(self) -> None:
        """Read tables that are new."""
        for path in sorted(self.folder.glob("*.npz")):
            ours = (int(path.stem) % HELD_BACK == 0) == self.held_back
            if ours and path not in self.seen and len(self.samples) < self.most:
                self.seen.add(path)
                self.samples += read_table(path)

    def batch(self, size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Random crops: inputs, targets, weights."""
        crops = [crop_of(self.samples[int(rng.integers(len(self.samples)))], rng) for _ in range(size)]
        seen, target, weight = (torch.from_numpy(np.stack(part)) for part in zip(*crops, strict=True))
        return seen.contiguous(memory_format=torch.channels_last), target, weight


def train(net: PieceNet, pool: Pool, judged: Pool, wanted: argparse.Namespace) -> None:
    """Steps of AdamW under one cycle of the learning rate, saved every so often."""
    rng = np.random.default_rng(wanted.seed)
    best = torch.optim.AdamW(net.parameters(), lr=wanted.rate, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, wanted.rate, total_steps=wanted.steps, pct_start=0.1)
    mean, begun = 0.0, time.monotonic()
    for step in range(wanted.steps):
        seen, target, weight = pool.batch(wanted.batch, rng)
        with torch.autocast("cpu", torch.bfloat16):
            scores = net(seen)
        loss = loss_of(scores.float(), target, weight)
        best.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        mean = float(loss.detach()) if step == 0 else 0.99 * mean + 0.01 * float(loss.detach())
        if step % wanted.every == wanted.every - 1:
            pool.refresh()
            judged.refresh()
            spent = time.monotonic() - begun
            print(
                f"{step + 1} {spent:.0f}s loss {mean:.4f} held back {judge(net, judged):.4f} of {len(pool.samples)}",
                flush=True,
            )
            save(net, wanted.out)


def judge(net: PieceNet, pool: Pool) -> float:
    """Mean loss on the held back tables, the same crops each time."""
    if not pool.samples:
        return float("nan")
    net.eval()
    rng = np.random.default_rng(0)
    with torch.no_grad():
        total = [
            float(loss_of(net(seen), target, weight)) for seen, target, weight in (pool.batch(8, rng) for _ in range(6))
        ]
    net.train()
    return float(np.mean(total))


def save(net: PieceNet, out: Path) -> None:
    """OUT/pieces.pt and OUT/pieces.onnx."""
    out.mkdir(parents=True, exist_ok=True)
    torch.save(net.state_dict(), out / "pieces.pt")
    net.eval()
    path = out / "pieces.onnx"
    axes = {"seen": {2: "rows", 3: "columns"}, "scores": {2: "rows4", 3: "columns4"}}
    torch.onnx.export(
        net, (torch.zeros(1, 8, CROP, CROP),), str(path), opset_version=13, dynamo=False,
        input_names=["seen"], output_names=["scores"], dynamic_axes=axes,
    )  # fmt: skip
    net.train()
    model = onnx.load(str(path))
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))
    onnx.save(model, str(path))


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--most", type=int, default=12000, help="samples kept in memory")
    parser.add_argument("--go-on", type=Path, help="weights (.pt) to start from")
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    torch.manual_seed(wanted.seed)
    net = PieceNet()
    if wanted.go_on:
        net.load_state_dict(torch.load(wanted.go_on))
    net = net.to(memory_format=torch.channels_last)
    pool, judged = Pool(wanted.data, False, wanted.most), Pool(wanted.data, True, 150)
    pool.refresh()
    judged.refresh()
    train(net, pool, judged, wanted)


if __name__ == "__main__":
    main()
