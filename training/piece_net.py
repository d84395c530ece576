"""The piece network as torch modules, and its export: what `vision/reading/network.py` runs.

One eye, learnt on photographs (`lite.py`), sees each frame, and the empty board once for a table. `Printed` says what
the empty board and the up field are to a frame's features, `Frame` holds the frame's against it. What single pieces of
the photo of the start looked like becomes a scale and a shift of the coarse features (after Perez et al., FiLM, 2018).
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch  # type: ignore[import-not-found]
from onnx import numpy_helper
from torch import Tensor, nn

from training.lite import CHANNELS, Lite
from training.model_file import HALF, halve, save
from vision.reading.network import COARSE, FINE, FRAME_MODEL, LOOKS, LOOKS_KINDS, OUTPUTS, PRINTED_MODEL, STEP, STRIDE

UP = 2
"""Channels that say where a point moves per mm of height."""
BESIDE_FINE, BESIDE_COARSE = 48, 96
"""Channels in which a frame is held against the empty board, at strides 4 and 8."""
Features = tuple[Tensor, Tensor, Tensor]


def conv(channels: int, out: int, stride: int = 1) -> nn.Sequential:
    """Build a 3x3 convolution with its normalisation (folded into it at export) and a ReLU."""
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())


def bare(channels: int, out: int, stride: int = 1) -> nn.Sequential:
    """Build a 3x3 convolution with its normalisation alone: something is added before its ReLU."""
    return nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out))


class Residual(nn.Module):  # type: ignore[misc]
    """Two convolutions beside a short cut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.one, self.two = conv(channels, channels), bare(channels, channels)

    def forward(self, seen: Tensor) -> Tensor:
        """Turn features (N, C, h, w) into others of the same shape."""
        return torch.relu(seen + self.two(self.one(seen)))


class Printed(nn.Module):  # type: ignore[misc]
    """What the empty board's features and the up field say to the frame's features, at strides 4 and 8."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Conv2d(CHANNELS[4] + UP, BESIDE_FINE, 1)
        self.coarse = nn.Conv2d(CHANNELS[8] + UP, BESIDE_COARSE, 1)
        self.wide = nn.Conv2d(CHANNELS[16], BESIDE_COARSE, 1)

    def forward(self, seen: Features, up: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the empty board says, (N, BESIDE_FINE, H / 4, W / 4) and (N, BESIDE_COARSE, H / 8, W / 8).

        up: (N, UP, H, W).
        """
        near, far, wide = seen
        fine: Tensor = self.fine(torch.cat([near, nn.functional.avg_pool2d(up, 4)], 1))
        coarse = self.coarse(torch.cat([far, nn.functional.avg_pool2d(up, 8)], 1))
        return fine, coarse + doubled(self.wide(wide), coarse)


class Frame(nn.Module):  # type: ignore[misc]
    """A frame's features beside what the empty board says, to scores (N, OUTPUTS, H / 4, W / 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Conv2d(CHANNELS[4], BESIDE_FINE, 1)
        self.far = nn.Conv2d(CHANNELS[8], BESIDE_COARSE, 1)
        self.wide = nn.Conv2d(CHANNELS[16], BESIDE_COARSE, 1, bias=False)
        self.fine = nn.Sequential(conv(BESIDE_FINE, FINE), Residual(FINE))
        self.down, self.beside = bare(FINE, COARSE, 2), bare(BESIDE_COARSE, COARSE)
        self.coarse = nn.Sequential(Residual(COARSE), Residual(COARSE))
        self.film = nn.Sequential(nn.Linear(LOOKS, 64), nn.ReLU(), nn.Linear(64, 2 * COARSE))
        self.after = Residual(COARSE)
        self.up = nn.Sequential(nn.Conv2d(COARSE, FINE, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.head = nn.Sequential(conv(FINE, FINE), nn.Conv2d(FINE, OUTPUTS, 1))
        nn.init.constant_(self.head[1].bias, -4.0)
        nn.init.zeros_(self.film[2].weight)
        nn.init.zeros_(self.film[2].bias)

    def features(self, seen: Features, fine: Tensor, coarse: Tensor) -> tuple[Tensor, Tensor]:
        """Return features (N, FINE, H / 4, W / 4) and (N, COARSE, H / 8, W / 8), before looks have scaled them."""
        near, far, wide = seen
        found = self.fine(torch.relu(self.near(near) + fine))
        narrowed, far = self.down(found), self.far(far)
        beside = self.beside(torch.relu(far + doubled(self.wide(wide), far) + coarse))
        return found, self.coarse(torch.relu(narrowed + beside))

    def scores(self, near: Tensor, far: Tensor, looks: Tensor) -> Tensor:
        """Return the scores before the sigmoid, from the features and the looks (N, LOOKS)."""
        scale, shift = self.film(looks)[:, :, None, None].chunk(2, dim=1)
        known: Tensor = self.after(torch.relu(far * (1 + scale) + shift))
        answer: Tensor = self.head(torch.relu(near + self.up(known)))
        return answer


def doubled(wide: Tensor, like: Tensor) -> Tensor:
    """Upsample features at stride 16 to stride 8, as large as those of `like`, whose sides may be odd."""
    twice = nn.functional.interpolate(wide, scale_factor=2.0, mode="nearest")
    return twice[:, :, : like.shape[2], : like.shape[3]]


class PieceNet(nn.Module):  # type: ignore[misc]
    """All parts, as they are trained: one eye for the frame and for the empty board, and what is made of both."""

    def __init__(self) -> None:
        super().__init__()
        self.eye, self.printed, self.frame = Lite(), Printed(), Frame()

    def features(self, frame: Tensor, printed: Tensor) -> tuple[Tensor, Tensor]:
        """Return near and far features of frames (N, 3, H, W) beside empty boards with up fields (N, 3 + UP, H, W).

        The eye learns from frames alone, which takes a third less time; it sees empty boards as it sees frames.
        """
        seen = self.eye(frame)
        with torch.no_grad():
            empty = self.eye(printed[:, :3])
        near, far = self.frame.features(seen, *self.printed(empty, printed[:, 3:]))
        return near, far


class PrintedModel(nn.Module):  # type: ignore[misc]
    """What is worked out once for a table, as it is packaged."""

    def __init__(self, net: PieceNet) -> None:
        super().__init__()
        self.eye, self.printed = net.eye, net.printed

    def forward(self, printed: Tensor) -> tuple[Tensor, Tensor]:
        """Turn an empty board with its up field (N, 3 + UP, H, W) into what is added to a frame's features."""
        fine, coarse = self.printed(self.eye(printed[:, :3]), printed[:, 3:])
        return fine, coarse


class FrameModel(nn.Module):  # type: ignore[misc]
    """What is worked out for each frame, as it is packaged."""

    def __init__(self, net: PieceNet) -> None:
        super().__init__()
        self.eye, self.frame = net.eye, net.frame

    def forward(self, frame: Tensor, fine: Tensor, coarse: Tensor, looks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores, and the features that looks are taken from."""
        near, far = self.frame.features(self.eye(frame), fine, coarse)
        return self.frame.scores(near, far, looks), near, far


def looks_of(near: Tensor, far: Tensor, shown: list[Any]) -> Tensor:
    """Return the looks (N, LOOKS) from features and, by sample, single pieces (M, 3): row, column in cells, class.

    As `vision.reading.network.looks_of` for one picture: means at 3x3 cells, and a flag, for each kind in turn.
    """
    rows = []
    smooth = nn.functional.avg_pool2d(near, 3, 1, 1)
    for index, pieces in enumerate(shown):
        parts = []
        for kind in LOOKS_KINDS:
            mine = pieces[pieces[:, 2] == kind]
            if len(mine):
                at = np.round(mine[:, :2]).astype(int)
                down, across = torch.from_numpy(at[:, 0]), torch.from_numpy(at[:, 1])
                mean = torch.cat(
                    [smooth[index][:, down, across].mean(1), far[index][:, down // 2, across // 2].mean(1)]
                )
                parts += [mean, mean.new_ones(1)]
            else:
                parts.append(near.new_zeros(FINE + COARSE + 1))
        rows.append(torch.cat(parts))
    return torch.stack(rows)


def load_model(part: nn.Module, path: Path) -> None:
    """Take over the exported weights of a model, to go on training where nothing else is left; `settle` has to follow.

    An export has each normalisation folded into its convolution, whose outputs it numbers in the order of their use;
    outputs that the model doesn't have keep the part's own beginning.
    """
    given = {
        tensor.name.removesuffix(HALF): torch.from_numpy(numpy_helper.to_array(tensor).astype(np.float32))
        for tensor in onnx.load(path).graph.initializer
    }
    folded = iter([value for key, value in given.items() if key.startswith("onnx::Conv")])
    plain = dict(part.named_parameters())
    with torch.no_grad():
        for key, value in given.items():
            if key in plain:
                plain[key][: len(value)] = value
        for convolution, norm in _normalised(part):
            convolution.weight.copy_(next(folded))
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
            norm.bias.copy_(next(folded))


def settle(net: nn.Module, run: Callable[[], object]) -> None:
    """Give normalisations that do nothing (see `load_model`) the statistics met in `run`; the answers stay the same."""
    seen: dict[nn.Module, Tensor] = {}
    norms = [norm for _, norm in _normalised(net)]
    hooks = [
        norm.register_forward_pre_hook(lambda norm, given: seen.update({norm: given[0].float()})) for norm in norms
    ]
    net.eval()
    with torch.no_grad():
        run()
        for norm in norms:
            mean, var = seen[norm].mean((0, 2, 3)), seen[norm].var((0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_((var + norm.eps).sqrt())
            norm.bias += mean
    for hook in hooks:
        hook.remove()
    net.train()


def _normalised(part: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return each convolution that a normalisation follows, with it, in the order of their use."""
    found = [module for module in part.modules() if isinstance(module, nn.Sequential) and len(module) > 1]
    return [(module[0], module[1]) for module in found if isinstance(module[1], nn.BatchNorm2d)]


def export(net: PieceNet, out: Path, crop: int) -> None:
    """Write OUT/pieces.onnx and OUT/printed.onnx, the weights as half floats."""
    net.eval()
    whole, near, far = _sides(1), _sides(STRIDE), _sides(STEP)
    printed = torch.zeros(1, 3 + UP, crop, crop)
    once, each = PrintedModel(net), FrameModel(net)
    fine, coarse = once(printed)
    write(once, (printed,), out / PRINTED_MODEL, {"printed": whole, "fine": near, "coarse": far})
    given = torch.zeros(1, 3, crop, crop), fine, coarse, torch.zeros(1, LOOKS)
    axes = {"frame": whole, "fine": near, "coarse": far, "looks": {}, "scores": near, "near": near, "far": far}
    write(each, given, out / FRAME_MODEL, axes)
    net.train()


def _sides(part: int) -> dict[int, str]:
    """Name the sides that may vary in length, at 1 / `part` of the picture's size.

    Sides of one name are of one length.
    """
    return {2: "height", 3: "width"} if part == 1 else {2: f"height_{part}", 3: f"width_{part}"}


def write(
    part: nn.Module, given: tuple[Tensor, ...], path: Path, axes: dict[str, dict[int, str]], halves: bool = True
) -> None:
    """Write a module as an ONNX model; axes: its inputs' and outputs' names, in order, and which sides may vary.

    halves: its weights are rounded to half floats.
    """
    names, file = list(axes), io.BytesIO()
    torch.onnx.export(
        part, given, file, opset_version=13, dynamo=False, input_names=names[: len(given)],
        output_names=names[len(given) :], dynamic_axes={name: axis for name, axis in axes.items() if axis},
    )  # fmt: skip
    model = onnx.load_model_from_string(file.getvalue())
    if halves:
        halve(model)
    save(model, path)
