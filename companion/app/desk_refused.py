"""What a side may not answer: the sentence for whoever pressed a button while the table waits for the other one."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene, Table
from companion.text.orders import listed
from companion.ui.screen import Intent


def refused(scene: Scene, intent: Intent) -> str:
    """Why the scene will not hear this from the side that it is from; "" where it will."""
    if not isinstance(scene, Table) or scene.listens(intent):
        return ""
    waited = [scene.people.name(one) for one in scene.sides if one in scene.waits_for]
    return _("The table waits for {who}.").format(who=listed(waited))
