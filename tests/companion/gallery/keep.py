"""Keep what the gallery's scenes look like now: `python -m tests.companion.gallery.keep`, then look at the sheets.

Each room has a sheet in `kept`; version control shows which have changed, as small pictures.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tests.companion.gallery.gallery import at_a_glance, drawn, hung, pixels_of, scenes, sheet_of
from tests.kept_pictures import Pixels, small, write_sheet


def main() -> None:
    """Write the sheets of all rooms, without those of rooms that are gone."""
    sheets: defaultdict[Path, dict[str, Pixels]] = defaultdict(dict)
    for name, make in scenes().items():
        with hung(make) as hand:
            picture, _shown = drawn(hand, at_a_glance(name)[1])
        sheets[sheet_of(name)][name] = small(pixels_of(picture))
    for path, pictures in sheets.items():
        write_sheet(path, pictures)
    for path in set(next(iter(sheets)).parent.glob("*.png")) - sheets.keys():
        path.unlink()


if __name__ == "__main__":
    main()
