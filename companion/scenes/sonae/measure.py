"""The camera measures the field: where it saw each base, what moved since the record, and whether the rules allow it.

The camera proposes, a finger disposes: one touch takes a move that was seen; of what is unsure or unseen it is said.
"""

from __future__ import annotations

from companion.core.background import Errand
from companion.core.language import _, plural
from companion.measuring.field import MovedUnit, Sighting, corner_name, misplaced_words
from companion.measuring.live_markers import FieldEye
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.sonae.field import Sketch, field_picture, why_words
from companion.scenes.story.tables import GameTable
from companion.text.orders import join_words, sentence
from companion.text.sonae import movements, step_words, title
from companion.ui.battlefield_picture import LineSight
from companion.ui.screen import Block, Button, Intent, Photo, Screen, Slip, Text, back_button
from engine.sonae.orders import end_of
from engine.sonae.position import Position
from engine.sonae.steps import Step
from intake.jpeg import size_px

Table = GameTable[Position, Step]


class MeasureScene(BackScene):
    """Looks once, and again when asked; a scene that changes by itself when the look is done.

    laying: the field is being laid, so that what stands elsewhere was not moved: it is to be put right.
    """

    def __init__(self, table: Table, eye: FieldEye, back: Scene, laying: bool = False) -> None:
        super().__init__(back)
        self.table = table
        self.laying = laying
        self.eye = eye
        self.seen: Sighting | None = None
        self.photo = False
        self._errand: Errand[Sighting | None] = Errand("measure")
        self.look()

    def look(self) -> None:
        """Start looking at the table as it is now."""
        position, eye = self.table.position, self.eye
        self.seen, self._asked_of = None, position
        self._errand.begin(lambda: eye.look(position))

    def tick(self, _now_s: float) -> Scene | None:
        """Take in what was seen once the look is done."""
        if self._errand.idle:
            return None
        self.seen = self._errand.fetch()
        return self if self._looked else None

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show what the camera saw, one difference after another."""
        picture = Button(_("The field") if self.photo else _("The picture"), Intent("photo"), "quiet", "camera")
        actions = (
            back_button(),
            picture,
            Button(_("Look again"), Intent("look"), "primary" if self._looked else "off", "recon_post"),
        )
        blocks = self._photo() if self.photo else self._blocks()
        board = field_picture(self.table.position, self._sketch())
        return Screen(title=_("Camera measurement"), blocks=blocks, actions=actions, page=self.page, board=board)

    @property
    def _looked(self) -> bool:
        return self._errand.idle

    def _photo(self) -> tuple[Block, ...]:
        data = self.eye.picture()
        size = size_px(data) if data else None
        return (Photo(data, size),) if data and size else (Text(_("No picture yet."), "quiet"),)

    def _blocks(self) -> tuple[Block, ...]:
        if not self._looked:
            return (Text(_("Looking …"), "quiet"),)
        seen = self.seen
        if seen is None or seen.fault:
            why = seen.fault if seen is not None else self.eye.fault
            return (Text(_("Couldn't measure: {why}").format(why=sentence(why)), "bad"),)
        if seen.in_sync:
            many = plural("{n} base is", "{n} bases are", len(seen.places))
            return (Text(_("{bases} where the game has it.").format(bases=many), "good"), *self._asides(seen))
        moved = tuple(self._slip(i, moved_unit) for i, moved_unit in enumerate(seen.moved))
        return (*moved, *self._asides(seen))

    def _slip(self, index: int, moved_unit: MovedUnit) -> Slip:
        """Return the slip of a moved unit with the order that explains it; a touch records that, or says why not."""
        position = self.table.position
        if self.laying:
            facts = {
                "unit": title(position, moved_unit.unit),
                "far": movements(moved_unit.gone),
                "deg": f"{moved_unit.turned_deg:.0f}",
            }
            return Slip(_("{unit} is {far} off its place and turned {deg}°.").format(**facts), mark="no")
        text = self._orders_words(moved_unit)
        if moved_unit.legal or moved_unit.orders:
            return Slip(text, _("Touch to make this move."), intent=Intent("take", "", index), mark="yes")
        first = moved_unit.ruling.objections[0]
        why = why_words(position, first)
        return Slip(text, why, str(first.citation), Intent("take", "", index), "no")

    def _orders_words(self, moved_unit: MovedUnit) -> str:
        """Return the order, or the two orders, that explain where a unit was seen."""
        position, lines = self.table.position, []
        for step in moved_unit.orders or (moved_unit.step,):
            lines.append(step_words(step, position))
            position = position.with_unit(moved_unit.unit, place=end_of(position, position.here(moved_unit.unit), step))
        return " ".join(lines)

    def _asides(self, seen: Sighting) -> tuple[Block, ...]:
        """Return what was not seen, was seen only doubtfully, or should not be on the table."""
        forms = (
            (seen.unseen, _("Can't see: {units}. A hand or another base may be in the way.")),
            (seen.doubtful, _("Not sure of {units}: please check.")),
            (seen.left, _("Out of the battle but still on the table: {units}.")),
        )
        remarks = [
            form.format(units=join_words(title(self.table.position, name) for name in names))
            for names, form in forms
            if names
        ]
        marks = (
            (seen.strangers, _("Unknown markers: {numbers}.")),
            (seen.twice, _("Markers seen twice, so ignored: {numbers}.")),
        )
        remarks += [form.format(numbers=join_words(map(str, numbers))) for numbers, form in marks if numbers]
        if seen.missing:
            form = _("Can't see corner markers: {corners}. Measured without them, less accurately.")
            remarks.append(form.format(corners=join_words(map(corner_name, seen.missing))))
        wrong = [misplaced_words(number, how) for number, how in seen.misplaced.items()]
        remarks += [_("{what} Measured without it; fix it and look again.").format(what=fault) for fault in wrong]
        return tuple(Text(text, "warn") for text in remarks)

    def _sketch(self) -> Sketch:
        """Return the sketch of where moved bases were seen."""
        moved = self.seen.moved if self.seen is not None else ()
        unseen = self.seen.unseen if self.seen is not None else ()
        lines = tuple(LineSight("move", moved_unit.was.at, moved_unit.now.at) for moved_unit in moved)
        marks = dict.fromkeys((moved_unit.unit for moved_unit in moved), "chosen") | dict.fromkeys(unseen, "spent")
        focus = moved[0].unit if moved else ""
        return Sketch(
            marks,
            tuple(
                (moved_unit.unit, moved_unit.now, moved_unit.legal or bool(moved_unit.orders)) for moved_unit in moved
            ),
            lines,
            focus,
        )

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Record a move, show the picture, look again, or go back."""
        match intent.verb:
            case "photo":
                self.photo = not self.photo
            case "look" if self._looked:
                self.look()
            case "take" if self.seen is not None and 0 <= intent.n < len(self.seen.moved):
                return self._take(self.seen.moved[intent.n])
            case "back":
                self._errand.close()
        return super().touch(intent)

    def _take(self, moved_unit: MovedUnit) -> Scene | None:
        """Record a legal move unless the game has gone on since; otherwise open the ruling on it."""
        if self.laying:
            return None
        if not (moved_unit.legal or moved_unit.orders) or self.table.position is not self._asked_of:
            return ruling_on(self.table, moved_unit.step, self)
        self._errand.close()
        for step in moved_unit.orders or (moved_unit.step,):
            following = self.table.offer(step)
            if following is not None:
                return following
        return self.table
