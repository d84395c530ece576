"""Every target by name. Each is loaded when it is asked for, so that a child holds no more than it needs."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.target import Target

MODULES = {
    "settings": ("settings", "chosen", "tags", "environment", "locale"),
    "games": ("game", "open", "undone", "clock", "hand", "review", "practice", "inputs"),
    "shelf": ("index", "labels", "names"),
    "rules": (
        *("position-orders", "position-sonae", "position-generals", "step-orders", "step-sonae", "step-generals"),
        *("notation", "referee"),
    ),
    "shelves": ("boards", "decks", "deck-drafts", "battles", "drafts"),
    "desk": ("frames", "controller"),
    "eye": (
        "picture",
        "photo",
        "plan",
        "truth",
        "table",
        "today",
        "experience",
        "messages",
        "orders",
        "live",
        "film",
        "folded",
    ),
    "packs": ("evidence", "bundle", "restore", "update", "manifest", "signers"),
    "outside": ("stick", "update-log", "card", "card-files", "key", "bridge", "note"),
    "commands": ("arguments", "command"),
    "app": ("start", "events"),
}
"""The modules of this package, with the names of their targets."""
NAMES = tuple(name for names in MODULES.values() for name in names)


def module_of(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the module of a target, and the names of all that are in it; "planted..." are faults for the harness."""
    found = next((pair for pair in MODULES.items() if name in pair[1]), ("planted", (name,)))
    return f"{__name__}.{found[0]}", found[1]


def target_named(name: str) -> Target:
    """Return a target by its name; raise KeyError for an unknown one."""
    found: dict[str, Target] = import_module(module_of(name)[0]).TARGETS
    return found[name]
