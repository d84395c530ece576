"""Give an exported network a map of things of any colour: `python -m training.things MODEL DATA [DATA ...]`.

For a network from before there was such a map. It is a linear reading of the features before its last layer, so its
other answers stay what they are, to the bit. MODEL is its `pieces.onnx`, with `printed.onnx` beside it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch  # type: ignore[import-not-found]
from onnx import numpy_helper
from torch import Tensor, nn

from training import samples
from training.piece_net import PieceNet, load_model, looks_of
from training.train import Batch, Pool, batch_of, focal
from vision.reading.network import CLASSES, FINE, OUTPUTS, PRINTED_MODEL, THING

FOREIGN = 0.5
"""The share of crops in which some pieces have a colour of neither side: what this map is for."""
LAST = "head.1."
BATCH, RATE = 8, 3e-2


def features_of(net: PieceNet, batch: Batch) -> Tensor:
    """(N, FINE, h, w) what the last layer sees of pairs of crops."""
    partner = [index ^ 1 for index in range(len(batch.frame))]
    with torch.no_grad():
        near, far = net.frame.features(batch.frame, *net.printed(batch.printed))
        looks = looks_of(near[partner], far[partner], [np.asarray(one) for one in batch.shown])
        scale, shift = net.frame.film(looks)[:, :, None, None].chunk(2, dim=1)
        known = net.frame.after(torch.relu(far * (1 + scale) + shift))
        seen: Tensor = net.frame.head[0](torch.relu(near + net.frame.up(known)))
    return seen


def with_map(path: Path, weight: Tensor, bias: Tensor) -> bytes:
    """The model with one output more of its last layer: weight (1, FINE, 1, 1), bias (1,)."""
    whole = onnx.load(path)
    for tensor in whole.graph.initializer:
        if LAST in tensor.name:
            more = weight if "weight" in tensor.name else bias
            old = numpy_helper.to_array(tensor)[: len(CLASSES) + 2]
            full = np.concatenate([old, more.detach().numpy().astype(old.dtype)])
            tensor.CopyFrom(numpy_helper.from_array(full, tensor.name))
    (scores,) = [one for one in whole.graph.output if one.name == "scores"]
    scores.type.tensor_type.shape.dim[1].dim_value = OUTPUTS
    onnx.checker.check_model(whole, full_check=True)
    return bytes(whole.SerializeToString())


def main() -> None:
    """Train the map and write the model in place."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=600)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    samples.FOREIGN = FOREIGN
    net, reading = PieceNet(), nn.Conv2d(FINE, 1, 1)
    load_model(net.printed, wanted.model.with_name(PRINTED_MODEL))
    load_model(net.frame, wanted.model)
    net.eval()
    with torch.no_grad():  # begins as the most of the classes' mean says
        reading.weight.copy_(net.frame.head[1].weight[: len(CLASSES)].mean(0, keepdim=True))
        reading.bias.fill_(-3.0)
    pool, rng, mean = Pool([(one, 1.0) for one in wanted.data], False, 300), np.random.default_rng(0), 0.0
    pool.refresh()
    best = torch.optim.Adam(reading.parameters(), lr=RATE)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(best, wanted.steps)
    for step in range(wanted.steps):
        batch = batch_of(pool.crops(BATCH // 2, rng), np.repeat(rng.random(BATCH // 2) >= 0.2, 2))
        loss = focal(reading(features_of(net, batch))[:, 0], batch.target[:, THING], batch.weight[:, THING])
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
        mean = float(loss.detach()) if step == 0 else 0.98 * mean + 0.02 * float(loss.detach())
        if step % 100 == 99:
            print(f"{step + 1} loss {mean:.4f}", flush=True)
    wanted.model.write_bytes(with_map(wanted.model, reading.weight, reading.bias))


if __name__ == "__main__":
    main()
