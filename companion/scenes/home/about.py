"""What Gunbai is, whose work it stands on, and under which licences."""

from __future__ import annotations

from companion import __version__
from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import PagesScene
from companion.ui.screen import Block, Text

PARTS = (  # name, licence
    ("Atkinson Hyperlegible", "SIL Open Font License 1.1"),
    ("pygame-ce, SDL", "LGPL 2.1, zlib"),
    ("OpenCV", "Apache 2.0"),
    ("ONNX Runtime", "MIT"),
    ("EfficientNet-Lite0", "Apache 2.0"),
    ("NumPy", "BSD 3-Clause"),
    ("platformdirs", "MIT"),
)


def about(back: Scene) -> Scene:
    """Open the "About Gunbai" page: version, licence and the software it is built with."""
    parts = "\n".join(f"{name} · {licence}" for name, licence in PARTS)
    blocks: tuple[Block, ...] = (
        Text(_("Version {version}. Free software under the MIT licence.").format(version=__version__), "strong"),
        Text(
            _("An unofficial companion for General Orders (Sengoku Jidai and World War II), Sonae and Generals Order. "
              "You need your own copy of the game. Not made or endorsed by any publisher.")
        ),
        Text(_("The map and the icons are our own drawings; the rules are in our own words.")),
        Text(_("Built with"), "strong"),
        Text(parts, "quiet"),
    )  # fmt: skip
    return PagesScene(_("About Gunbai"), blocks, back)
