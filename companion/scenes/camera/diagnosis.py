"""What the camera sees and how it is read: the board image with its pieces, and each area's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.background import Errand
from companion.core.language import _
from companion.perception.adapters import SURE
from companion.perception.area_questions import standing_in
from companion.perception.sync.state import CameraIgnored
from companion.scenes.base.map_picture import verdict
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.camera.calibration import begin
from companion.scenes.camera.handles import PlaceScene
from companion.scenes.orders.repair import RepairScene
from companion.scenes.story.tables import OrdersTable
from companion.text.devices import doubt_words, other_light
from companion.text.faults import camera_words
from companion.text.orders import sentence, standing_units
from companion.text.percent import percent
from companion.ui.screen import (
    Block,
    BoardPicture,
    Button,
    Buttons,
    Columns,
    Intent,
    Photo,
    Screen,
    Text,
    Tone,
    back_button,
)
from companion.ui.table_pictures import AreaSight, PhotoPicture, PieceSight

if TYPE_CHECKING:
    from vision.geometry import Picture
    from vision.live.preview import Preview
    from vision.reading.read import Reading

OPTIONS = 4
PIECES = 6
LEAST = 0.01
VIEW_EVERY_S = 0.5
CROP_PT = 84.0
HALF_MM = {"troop": 8.0, "ship": 9.5, "siege": 8.0, "commander": 6.5}  # half a piece, as it is drawn

TONES: dict[str, Tone] = {"sync": "good", "out": "bad", "lost": "bad", "proposal": "warn"}


class DiagnosisScene:
    """The newest reading, until frozen; a touch on an area shows its photo, its possible counts and its pieces."""

    def __init__(self, stage: Stage, table: OrdersTable) -> None:
        self.stage = stage
        self.table = table
        self.area: str | None = None
        self.frozen = False
        self.page = 0
        self.reading: Reading | None = None
        self._jpeg: tuple[bytes, tuple[int, int]] | None = None
        self._search: Errand[tuple[Reading, Picture | None]] = Errand("why")
        self._found: tuple[Reading, Picture | None] | None = None
        self._view: Preview | None = None
        self._viewed_s: float | None = None
        self.tick(0.0)

    def tick(self, now_s: float) -> Scene | None:
        """Take in what is new, but no reading while frozen; return this scene if there was anything, else None."""
        found = self._search.fetch()
        self._found = found or self._found
        fresh = self._take_newest()
        self._seek()
        viewed = self._take_view(now_s)
        return self if fresh or found or viewed else None

    def _take_view(self, now_s: float) -> bool:
        """Fetch the camera's picture every VIEW_EVERY_S while the board is out of sight; return whether it changed."""
        before = self._view
        if not self.stage.sense.blind or self.stage.senses.view is None:
            self._view = self._viewed_s = None
        elif self._viewed_s is None or now_s - self._viewed_s >= VIEW_EVERY_S:
            self._view, self._viewed_s = self.stage.senses.view(), now_s
        return self._view is not before

    def _take_newest(self) -> bool:
        newest = self.stage.senses.monitor.state.reading
        if self.frozen or newest is self.reading:
            return False
        self.reading, self._jpeg = newest, None
        return True

    def _seek(self) -> None:
        """Start the search for what looks like pieces in the reading, if an area is open and it isn't done."""
        reading, sight = self.reading, self.stage.senses.sight
        if self.area is None or reading is None or reading.board_image is None or sight is None:
            return
        if self._search.idle and (self._found is None or self._found[0] is not reading):
            board = reading.board_image
            self._search.begin(lambda: (reading, sight.evidence(board)))

    def wait(self) -> None:
        """Block until the search for pieces is done; the next tick shows its result."""
        self._search.wait()

    # ---- what is shown ----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the board image, or the camera's picture if it can't find the board, and all doubts or one area."""
        if self._view is not None:
            photo = PhotoPicture(self._view.jpeg, self._view.size_px)
            why = Text(sentence(camera_words(self.stage.sense.fault)), "bad")  # what was read before tells nothing now
            blocks: tuple[Block, ...] = (why, *self._way_back(), *self._ways())
            return Screen(_("What the camera sees"), blocks, self._actions(), photo=photo, page=self.page)
        reading = self.reading
        picture = None if reading is None else self._picture(reading)
        if self.area is None or reading is None:
            title, blocks = _("What the camera sees"), self._whole()
        else:
            title, blocks = self._title(self.area, reading), self._one(self.area, reading)
        return Screen(title, blocks, self._actions(), board=picture, page=self.page)

    def _actions(self) -> tuple[Button, ...]:
        freeze = Button(
            _("Live") if self.frozen else _("Freeze"), Intent("freeze"), "chosen" if self.frozen else "plain"
        )
        return back_button("primary"), freeze

    def _title(self, area: str, reading: Reading) -> str:
        if area in reading.cut_off:
            return _("{area} · partly out of the picture").format(area=area)
        if area in reading.unreadable:
            return _("{area} · hidden").format(area=area)
        sure = percent(reading.confidence.get(area, 0.0))
        return _("{area} · {sure} sure").format(area=area, sure=sure)

    def _picture(self, reading: Reading) -> BoardPicture | None:
        """Return the board image with areas and pieces; None if the board was not found."""
        if reading.board_image is None:
            return None
        from companion.perception.board_crops import frame_of, whole_board

        board = self.table.match.board
        frame = frame_of(board)
        self._jpeg = self._jpeg or whole_board(reading.board_image)
        jpeg, size_px = self._jpeg
        areas = tuple(
            AreaSight(
                area.name,
                tuple(frame.place(point) for point in area.polygon_mm),
                frame.place(area.centres_mm[0]),
                self._state(area.name, reading),
                "" if area.name in reading.unreadable else percent(reading.confidence.get(area.name, 0.0)),
                area.name == self.area,
            )
            for area in board.areas
        )
        pieces = tuple(
            PieceSight(
                piece.faction,
                piece.kind,
                frame.place(piece.at_mm),
                frame.part(HALF_MM.get(piece.kind, 8.0)),
                piece.score,
            )
            for piece in reading.pieces
            if piece.score >= 0.05
        )
        return BoardPicture(jpeg, size_px, areas, pieces)

    def _state(self, area: str, reading: Reading) -> str:
        """Return how an area compares with the game: "covered", "unsure", "agrees" or "differs"."""
        if area in reading.unreadable:
            return "covered"
        if reading.confidence.get(area, 0.0) < SURE:
            return "unsure"
        seen = {tuple(pair) for pair in _combo_of(area, reading)}
        return "agrees" if seen == set(standing_in(self.table.match.position, area)) else "differs"

    def _whole(self) -> tuple[Block, ...]:
        """Return the camera's verdict, how well the board was found, what is doubtful, and the buttons."""
        sign, words = verdict(self.stage.sense)
        if self.stage.sense.blind:
            words = sentence(camera_words(self.stage.sense.fault))
        blocks: list[Block] = [Text(words, TONES.get(sign, "plain"))] if words else []
        reading = self.reading
        if reading is None:
            blocks.append(Text(_("No steady picture yet."), "quiet"))
        elif reading.board_image is None:
            blocks.append(Text(_("The board isn't in the picture, or too much of it is covered."), "bad"))
        else:
            found = _("Board found ({share}) · {ms} ms")
            blocks.append(Text(found.format(share=percent(reading.quality), ms=round(reading.ms)), "quiet"))
            blocks += self._light(reading)
            blocks += self._doubts(reading)
        legend = (
            Text(_("Green: matches"), "good"),
            Text(_("Orange: differs"), "bad"),
            Text(_("Gold: unsure · Dark: hidden"), "warn"),
        )
        if sign == "lost":
            blocks += self._way_back()
        if reading is None:
            return (*blocks, *self._ways())
        touch = Text(_("Touch an area to see why."), "strong")
        return (*blocks, touch, *self._ways(), *legend)

    def _way_back(self) -> tuple[Block, ...]:
        """Return advice on bringing a lost camera back."""
        advice = _("Check the camera's cable. Gunbai keeps trying, and the camera comes back by itself.")
        if self.stage.sense.blind:
            advice = _("It keeps looking. If you moved the board or camera for good, set it up again.")
        return Text(advice), Text(_("Meanwhile, you can play by touch."), "strong")

    def _light(self, reading: Reading) -> list[Block]:
        """Return a warning if the empty board was photographed in another light, with a button to retake it."""
        if not reading.is_in_other_light:
            return []
        again = Button(_("Photograph it again"), Intent("retake"), note=_("10 s; pieces may stay"))
        return [Text(other_light(), "warn"), *([Buttons((again,), 1)] if self.stage.today is not None else [])]

    def _doubts(self, reading: Reading) -> list[Block]:
        doubtful = [area for area, sure in reading.confidence.items() if sure < SURE and area not in reading.unreadable]
        doubtful.sort(key=lambda area: reading.confidence[area])
        troubles = (
            ([area for area in reading.unreadable if area not in reading.cut_off], _("Hidden: {areas}")),
            (reading.cut_off, _("Partly out of the picture: {areas}")),
            (reading.at_a_line, _("A piece stands on a border: {areas}")),
            (reading.strange, _("Something else is lying in {areas}")),
        )
        blocks: list[Block] = [Text(form.format(areas=" ".join(areas)), "warn") for areas, form in troubles if areas]
        for area in doubtful[:OPTIONS]:
            text = _("{area} · {sure} sure · {seen}")
            seen = standing_units(_combo_of(area, reading))
            blocks.append(Text(text.format(area=area, sure=percent(reading.confidence[area]), seen=seen), "warn"))
        if not doubtful and not reading.unreadable:
            blocks.append(Text(_("Sure of all {n} areas.").format(n=len(reading.confidence)), "good"))
        return blocks

    def _ways(self) -> tuple[Block, ...]:
        """Return the buttons to put a fault right, and to take the camera in or out of the game."""
        ignored = self.stage.senses.monitor.state.is_ignored
        ways = [Button(_("Use the camera") if ignored else _("Ignore the camera"), Intent("ignore"), "quiet")]
        if self.stage.sense.sign in ("out", "behind"):
            ways.insert(0, Button(_("Fix it"), Intent("repair"), "danger"))
        if self.stage.sense.blind and self.stage.today is not None:
            ways.append(Button(_("Show its corners"), Intent("corners")))
        if self.stage.senses.cameras is not None:
            ways.append(Button(_("Set up the camera"), Intent("calibrate"), "quiet"))
        return (Buttons(tuple(ways), 2),)

    def _one(self, area: str, reading: Reading) -> tuple[Block, ...]:
        """Return an area's photos, what the game has there, possible counts with probabilities, and pieces found."""
        belief = reading.counts.get(area)
        options = belief.options[:OPTIONS] if belief is not None else ()
        rows = tuple((standing_units(combo), percent(chance)) for combo, chance in options if chance >= LEAST)
        here = (
            piece for piece in reading.pieces if piece.place.rpartition(":")[2] == area
        )  # or on a space: "advance:c4"
        pieces = sorted(here, key=lambda piece: -piece.score)[:PIECES]
        found = tuple((standing_units(((p.faction, p.kind, 1),)), percent(p.score)) for p in pieces if p.score >= LEAST)
        game = _("In the game: {units}").format(units=standing_units(standing_in(self.table.match.position, area)))
        why = doubt_words(reading.why.get(area, ())) if reading.confidence.get(area, 0.0) < SURE else ""
        doubt = (Text(_("Unsure: {why}").format(why=why), "warn"),) if why else ()
        may = (Text(_("Could be there"), "quiet"), *(Text(f"{chance} · {what}") for what, chance in rows))
        seen = (Text(_("Pieces found"), "quiet"), *(Text(f"{sure} · {what}") for what, sure in found))
        return (*self._crops(area, reading), Text(game, "strong"), *doubt, Columns(may, seen))

    def _crops(self, area: str, reading: Reading) -> tuple[Block, ...]:
        """Return a photo of an area now and, if known, beside it the empty area and what looks like pieces there."""
        if reading.board_image is None:
            return ()
        from companion.perception.board_crops import area_strip

        sight = self.stage.senses.sight
        if sight is None or sight.empty is None:
            data, size_px = area_strip(self.table.match.board, (reading.board_image,), area)
            return (Photo(data, size_px, _("now"), CROP_PT),)
        found = self._found[1] if self._found is not None and self._found[0] is reading else None
        data, size_px = area_strip(self.table.match.board, (reading.board_image, sight.empty, found), area)
        return (Photo(data, size_px, _("now · empty board · what looks like pieces"), CROP_PT),)

    # ---- touches ----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Open or close an area, freeze or go live, turn the page, put a fault right, or go back."""
        match intent.verb:
            case "area":
                self.area = None if self.area == intent.what else intent.what
                self.page = 0
                self._seek()
            case "freeze":
                self.frozen = not self.frozen
                self.tick(0.0)
            case "page":
                self.page += intent.n
            case "ignore":
                monitor = self.stage.senses.monitor
                monitor.advance(CameraIgnored(not monitor.state.is_ignored))
            case "retake" if self.stage.today is not None:
                self.stage.today.retake(self.table.match.position)
            case "back":
                if self.area is None:
                    return self.table
                self.area = None
        return self._other_page(intent)

    def _other_page(self, intent: Intent) -> Scene | None:
        """Return the scene that a button opens to put a fault right; None for any other touch."""
        if intent.verb == "calibrate" and self.stage.senses.cameras is not None:
            return begin(self.stage.senses.cameras, self.table)
        today = self.stage.today
        if intent.verb == "corners" and today is not None and (picture := today.latest()) is not None:
            return PlaceScene(today, self.table.match, picture, self)
        return RepairScene(self.stage, self.table) if intent.verb == "repair" else None


def _combo_of(area: str, reading: Reading) -> tuple[tuple[str, str, int], ...]:
    force = reading.units.get(area, {})
    return tuple((faction, unit, n) for faction, units in force.items() for unit, n in units.items() if n)
