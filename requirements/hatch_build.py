"""What building the wheel adds to it: the manual pages and the completions (requirements/manual.py)."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Manual(BuildHookInterface[Any]):
    """Makes them from the parser of the tree that is built, in a scratch folder that goes when the wheel is there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them, where a system has them."""
        sys.path.insert(0, self.root)
        from requirements.manual import write

        self.scratch = TemporaryDirectory()
        folder = Path(self.scratch.name)
        build_data["shared_data"] = {str(path): str(path.relative_to(folder)) for path in write(folder)}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the scratch folder."""
        self.scratch.cleanup()
