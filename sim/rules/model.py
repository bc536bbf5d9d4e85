"""The model of one house's rules: every field with its range, and what is refused because it cannot be.

`sim.flags` turns it into what kernels see.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sim import patterns, tiles
from sim.bounds import most_together

MAX_POINTS = 2**31 - 1  # what an Int32 column holds
MAX_UNCAPPED = 2**62 // 100  # what may be owed before a cap: kernels multiply by up to 100 and divide by 10 then
MAX_REPEAT = 10  # repeat deals beyond this count as this many
MAX_DOUBLINGS = 10  # doublings by hits beyond this count as this many

Way = Literal["zimo", "dianpao", "qianggang"]
Form = Literal["standard", "seven_pairs", "thirteen_orphans"]
Role = Literal["none", "item", "double", "pattern", "extra", "special", "floor"]


class RulesError(ValueError):
    """A rule set that cannot be used; the message names the file, the field, what is allowed and what was given."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Text(_Part):
    """A text in both languages."""

    zh: str = Field(min_length=1, max_length=200)
    en: str = Field(min_length=1, max_length=200)


class Ghost(_Part):
    """Which tiles are ghosts (鬼, 赖子)."""

    mode: Literal["none", "fixed", "turned", "turned_two"]  # turned_two: the two kinds after the indicator
    kinds: tuple[str, ...] = Field(max_length=2)  # the ghosts of mode fixed, in tile notation
    honour_cycle: str  # order of honours for a turned ghost; an honour left out counts as the one before its successor
    discard: Literal["forbidden", "allowed"]
    kong: Literal["forbidden", "allowed"]  # allowed: four ghosts of a kind may be a concealed kong, as themselves
    four: Literal["nothing", "win"]  # win: whoever draws the fourth of a kind of ghost may win at once

    @field_validator("kinds", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("kinds")
    @classmethod
    def _tiles(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            tiles.parse_one(text)
        if len(set(value)) != len(value):
            raise ValueError("each ghost kind may be named once")
        return value

    @field_validator("honour_cycle")
    @classmethod
    def _cycle(cls, value: str) -> str:
        if len(set(value)) != len(value) or not set(value) <= set(tiles.HONOURS):
            raise ValueError(f"allowed: each of {tiles.HONOURS} at most once")
        return value


class Win(_Part):
    """What may be won and how."""

    ways: tuple[Way, ...] = Field(min_length=1)
    chicken_ways: tuple[Way, ...]  # how a 鸡胡 may be won
    forms: tuple[Form, ...] = Field(min_length=1)
    natural_forms: tuple[Literal["seven_pairs", "thirteen_orphans"], ...]  # forms that ghosts do not fill
    barred: tuple[str, ...] = Field(max_length=34)  # whoever holds such a tile cannot win
    min_fan: int = Field(ge=0, le=1000)  # fan tables: fan; sum tables: items x doubles
    min_fan_discard: int = Field(ge=0, le=1000)  # the same for a win by discard
    must: bool  # 必胡: a legal win is always taken
    multiple: Literal["all", "nearest", "biggest", "from_dealer"]  # several winners on one tile
    passed: Literal["off", "same_tile", "all_tiles", "same_value", "rest_of_hand"]  # 漏胡: blocked until a draw or call
    payers: Literal["discarder", "all"]  # who pays for a discard that was won on
    rob_kongs: tuple[Literal["added", "direct", "concealed"], ...]  # kongs that can be robbed
    rob_shares: Literal[1, 3]  # shares that the robbed player pays
    first_turn_closed_by: Literal["any_call", "chi_peng"]  # what ends the window of 地和 and 人和

    @field_validator("ways", "chicken_ways", "forms", "natural_forms", "barred", "rob_kongs", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("ways", "chicken_ways", "forms", "natural_forms", "barred", "rob_kongs")
    @classmethod
    def _once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(value)) != len(value):
            raise ValueError("each may be named once")
        return value

    @field_validator("rob_shares", mode="before")
    @classmethod
    def _whole(cls, value: object) -> object:
        if type(value) is not int:
            raise ValueError("allowed: 1 or 3")
        return value

    @field_validator("barred")
    @classmethod
    def _tiles(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            tiles.parse_one(text)
        return value


class Play(_Part):
    """What may be claimed, drawn and discarded."""

    chi: bool
    passed_peng: Literal["off", "same_tile"]  # 漏碰: no pung of a kind that was passed, until the next draw
    standing: int = Field(ge=0, le=13)  # first tiles of each seat's deal that stand apart (立), 0 none
    declare: Literal["none", "needed"]  # needed: only who has declared ready (报听) can win
    last_tiles_reserved: int = Field(ge=0, le=40)  # wall tiles that are never drawn in play
    reserve_per_kong: int = Field(ge=0, le=4)  # how many more for each kong after the hand's first
    odd_tile_stays: bool  # one more while the number of kongs is odd: half a stack does not count
    flower_price: int = Field(ge=0, le=1_000_000)  # base units from each of three for a flower (tile sets 140, 144)


class Scoring(_Part):
    """How a hand's patterns become points for one payer."""

    method: Literal["sum", "fan"]  # sum of items times doubles, or 2 to the power of the fan
    base: int = Field(ge=1, le=1_000_000)
    items: Literal["add", "highest", "multiply"]  # sum tables: how several items count together
    cap: int = Field(ge=0, le=1000)  # fan: cap of patterns with extras; sum: cap of items x doubles; 0 = none
    chicken_with_event: int = Field(ge=0, le=1000)  # item of 鸡胡 won with 杠上开花, 抢杠 or 海底 (R01, R37)
    implied: Literal["drop", "add"]  # items implied by another one (R02)
    rob_is_zimo: bool  # a rob also counts as 自摸
    luxury_natural: bool  # fours of a kind in 豪华七对 must be without ghosts
    yinghu: Literal["no_ghost", "as_itself"]  # as_itself: 硬胡 also when every ghost held counts as its own kind
    loss_cap: int = Field(ge=0, le=1_000_000)  # most base units that a seat owes a winner, horses included; 0 = none
    loss_cap_all: int = Field(ge=0, le=1_000_000)  # 金顶: what each owes when all three owe more than that; 0 = none


class PatternPrice(_Part):
    """Role and value of one pattern in this rule set."""

    role: Role
    value: int = Field(ge=0, le=1_000_000)
    name: str | None = Field(default=None, min_length=1, max_length=20)  # the house's name, if not the usual one


class Multiples(_Part):
    """What multiplies a hand for what its winner and each loser have done, in tenths: 10 is once, 15 one and a half."""

    zimo: int = Field(ge=10, le=100)  # the winner by self-draw
    feeder: int = Field(ge=10, le=100)  # the loser whose discard was won on
    opened: int = Field(ge=10, le=100)  # winner or loser with an exposed meld (开口)
    opened_each: bool  # for each exposed meld (口口翻) instead of once
    concealed_kong: int = Field(ge=10, le=100)  # for each concealed kong of the winner or loser
    exposed_kong: int = Field(ge=10, le=100)  # for each direct or added kong of the winner or loser

    @property
    def any(self) -> bool:
        """Whether something multiplies."""
        return max(self.zimo, self.feeder, self.opened, self.concealed_kong, self.exposed_kong) > 10


class Liability(_Part):
    """When one seat pays for all three (包)."""

    gangkai_direct: bool  # 杠上开花 after a direct kong: its feeder
    twelve_tiles: Literal["off", "on", "big"]  # 十二张落地: the feeder of the fourth exposed set, on a self-draw
    dragons_winds: bool  # 大三元, 大四喜: the feeder of the last exposed pung, on a self-draw
    quanqiuren: bool  # 全求人: the discarder who is not ready


class Kong(_Part):
    """Price of kongs, in base units."""

    direct: int = Field(ge=0, le=1_000_000)  # in total when the feeder pays, from each when all pay
    direct_payer: Literal["feeder", "all"]
    added: int = Field(ge=0, le=1_000_000)  # from each
    concealed: int = Field(ge=0, le=1_000_000)  # from each
    on_washout: Literal["kept", "void"]
    follow_horses: bool  # 马跟杠: what a winner's kongs earned grows with the hits as well


class Horses(_Part):
    """Horses (马): who has them, how many, whom they mean and what they move."""

    kind: Literal["none", "drawn", "held"]  # drawn by the winner; held by every seat before play
    count: int = Field(ge=0, le=20)  # drawn: after a self-draw; held: per seat
    count_discard: int = Field(ge=0, le=20)  # drawn: after a win by discard or rob
    without_ghost: int = Field(ge=0, le=20)  # drawn: how many more when the winner has no ghost
    per_repeat: int = Field(ge=0, le=20)  # drawn: how many more for each repeat deal (买马节节高)
    on_rob: bool  # drawn: whether a rob draws horses
    rob_extra: int = Field(ge=0, le=20)  # drawn: how many more after a rob
    pool: Literal["wall", "reserved"]  # drawn: from the rest of the wall or from its reserved tail
    map: tuple[str, str, str, str]  # tiles of the origin's seat, of +1, +2 and +3: digits for the suits, honours
    origin: Literal["dealer", "winner", "previous_winner"]  # with "winner" 1, 5, 9 always hit
    origin_multiple: Literal["same", "from_seat"]  # origin when several win
    hit: Literal["class", "number"]  # drawn: the winner's class; or every tile, as often as its number (一马全中)
    honour_number: int = Field(ge=0, le=20)  # number of an honour where numbers count
    price: Literal["hand", "fixed", "double"]  # a hit adds the share again, adds a fixed price, or doubles (爆炸马)
    fixed: int = Field(ge=0, le=1_000_000)  # base units that a hit adds to a share at a fixed price
    fine: int = Field(ge=0, le=1_000_000)  # base units that a miss takes off a share (罚马)
    four_ghosts_hit: bool  # all horses hit for a winner with four ghosts

    @field_validator("map", mode="before")
    @classmethod
    def _tuple(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("map")
    @classmethod
    def _partition(cls, value: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
        if sorted("".join(value)) != sorted("123456789" + tiles.HONOURS):
            raise ValueError(f"each of 1-9 and {tiles.HONOURS} must stand in exactly one of the four strings")
        return value


class Dealer(_Part):
    """Who deals next when the dealer does not win; a dealer who wins keeps the deal."""

    first: Literal["random", "east"]  # who deals first: drawn by lot, or seat 0
    next: Literal["winner", "next_seat"]
    after_rob: Literal["as_next", "robbed"]  # robbed: the robbed player deals after a rob
    on_washout: Literal["keep", "next_seat", "kong_passes"]  # kong_passes: the next seat if there was a kong
    seat_wind: Literal["deal", "chair"]  # own wind counted from the dealer, or from the first dealer's chair
    repeat_mode: Literal["none", "add", "double"]  # what repeat deals do to every share (节节高)
    repeat_points: int = Field(ge=0, le=1_000_000)  # base units that each repeat deal adds
    follow_points: int = Field(ge=0, le=1_000_000)  # 跟庄: the dealer pays each when the first four discards are equal


class Coins(_Part):
    """Conversion of points into a game room's coins; ``factor`` 0: none."""

    factor: int = Field(ge=0, le=1_000_000)  # coins for a point
    rake: int = Field(ge=0, le=1_000_000)  # coins that the room takes from each player for each hand


class Rules(_Part):
    """One complete rule set. Every number stands in the file; ``source`` says where each comes from."""

    slug: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")
    name: Text
    summary: Text | None = None
    tiles: Literal["136", "108", "100", "112", "120", "140", "144"]
    ghost: Ghost
    play: Play
    win: Win
    scoring: Scoring
    patterns: dict[str, PatternPrice]
    multiples: Multiples
    liability: Liability
    kong: Kong
    horses: Horses
    dealer: Dealer
    coins: Coins
    source: dict[str, str] = Field(default_factory=dict)  # dotted path (or its beginning) -> source or ruling

    @field_validator("patterns")
    @classmethod
    def _known(cls, value: dict[str, PatternPrice]) -> dict[str, PatternPrice]:
        unknown = sorted(set(value) - set(patterns.INDEX))
        if unknown:
            raise ValueError(f"unknown pattern {unknown[0]!r}; allowed: {', '.join(patterns.INDEX)}")
        return value

    @model_validator(mode="after")
    def _possible(self) -> Self:
        fan = self.scoring.method == "fan"
        for slug, price in self.patterns.items():
            allowed = ("none", "pattern", "extra", "special", "floor") if fan else ("none", "item", "double")
            if price.role not in allowed:
                raise ValueError(
                    f"patterns.{slug}.role: {price.role!r} does not go with scoring.method {self.scoring.method!r}"
                    f" (allowed: {', '.join(allowed)})"
                )
            if price.role == "double" and price.value < 1:
                raise ValueError(f"patterns.{slug}.value: a double must be at least 1, not {price.value}")
            if fan and price.value > 20:
                raise ValueError(f"patterns.{slug}.value: at most 20 fan are allowed, not {price.value}")
        if fan and not 0 <= self.scoring.cap <= 20:
            raise ValueError(f"scoring.cap: at most 20 fan are allowed, not {self.scoring.cap}")
        if not set(self.win.chicken_ways) <= set(self.win.ways):
            raise ValueError("win.chicken_ways: every way must also stand in win.ways")
        if (self.ghost.mode == "fixed") != bool(self.ghost.kinds):
            raise ValueError("ghost.kinds: needed with ghost.mode 'fixed' and only there")
        if self.ghost.mode.startswith("turned") and not self.ghost.honour_cycle:
            raise ValueError(f"ghost.honour_cycle: needed with ghost.mode {self.ghost.mode!r}")
        if self.ghost.four == "win" and self.ghost.mode == "none":
            raise ValueError("ghost.four: 'win' needs ghosts")
        if self.ghost.kong == "allowed" and self.ghost.mode == "none":
            raise ValueError("ghost.kong: 'allowed' needs ghosts")
        if self.scoring.yinghu == "as_itself" and self.ghost.mode == "none":
            raise ValueError("scoring.yinghu: 'as_itself' needs ghosts")
        if not set(self.win.natural_forms) <= set(self.win.forms):
            raise ValueError("win.natural_forms: every form must also stand in win.forms")
        if self.ghost.mode != "none" and set(self.win.natural_forms) == set(self.win.forms):
            raise ValueError("win.natural_forms: a form must be left for hands that hold ghosts")
        if self.win.payers == "all" and self.win.multiple == "all":
            raise ValueError(
                "win.payers: 'all' does not go with win.multiple 'all', since winners would pay one another"
                " (allowed: nearest, biggest, from_dealer)"
            )
        if self.win.payers == "all" and "dianpao" not in self.win.ways:
            raise ValueError("win.payers: 'all' needs dianpao in win.ways")
        if self.play.standing and self.play.declare == "none":
            raise ValueError("play.standing: standing tiles leave by declaring, play.declare 'needed' is needed")
        if self.play.odd_tile_stays and not self.play.reserve_per_kong:
            raise ValueError("play.odd_tile_stays: needs play.reserve_per_kong of 1 or more, since no tile comes back")
        if self.scoring.loss_cap_all and not 0 < self.scoring.loss_cap <= self.scoring.loss_cap_all:
            raise ValueError(
                f"scoring.loss_cap_all: must be at least scoring.loss_cap, which must be set,"
                f" not {self.scoring.loss_cap_all} beside {self.scoring.loss_cap}"
            )
        if "qianggang" in self.win.ways and not self.win.rob_kongs:
            raise ValueError("win.rob_kongs: needed where win.ways has qianggang")
        deck = tiles.TILE_SETS[self.tiles]
        if "thirteen_orphans" in self.win.forms and len(deck) < tiles.N_KINDS:
            raise ValueError(f"win.forms: thirteen_orphans needs all 34 kinds, the {self.tiles} tiles have {len(deck)}")
        for field, kinds in (("ghost.kinds", self.ghost.kinds), ("win.barred", self.win.barred)):
            for text in kinds:
                if tiles.parse_one(text) not in deck:
                    raise ValueError(f"{field}: {text} is not among the {self.tiles} tiles")
        if len(self.win.barred) == len(deck):
            raise ValueError("win.barred: at least one kind must not bar from winning")
        if both := set(self.ghost.kinds) & set(self.win.barred):
            raise ValueError(f"win.barred: {min(both)} is a ghost")
        if self.play.flower_price and self.tiles not in tiles.FLOWERS:
            raise ValueError(f"play.flower_price: the {self.tiles} tiles have no flowers")
        if self.dealer.repeat_points and self.dealer.repeat_mode != "add":
            raise ValueError("dealer.repeat_points: needs dealer.repeat_mode 'add'")
        if self.coins.rake and not self.coins.factor:
            raise ValueError("coins.rake: needs coins.factor of 1 or more, without it there are no coins to take")
        self._possible_horses()
        held = 4 * self.horses.count if self.horses.kind == "held" else 0
        left = tiles.COPIES * len(deck) - 52 - self.play.last_tiles_reserved - held
        left -= self.ghost.mode.startswith("turned")
        if left < 4:
            raise ValueError(
                f"play.last_tiles_reserved: with the horses only {left} tiles are left to draw, 4 are needed"
            )
        if (most := self._most_points()) > MAX_POINTS:
            raise ValueError(
                f"scoring.base: a hand could move {most} points, at most {MAX_POINTS} can be logged; lower base"
                " or prices, or set scoring.cap or scoring.loss_cap"
            )
        return self

    def _possible_horses(self) -> None:
        """Refuse combinations of horse options that mean nothing together."""
        horses = self.horses
        drawn_only = ("count_discard", "without_ghost", "per_repeat", "rob_extra", "fixed", "fine")
        if horses.kind != "drawn":
            nothing = ("count", *drawn_only) if horses.kind == "none" else drawn_only
            plain = dict.fromkeys(nothing, 0) | {
                "pool": "wall",
                "hit": "class",
                "price": "hand",
                "four_ghosts_hit": False,
            }
            for name, only in plain.items():
                if getattr(horses, name) != only:
                    raise ValueError(
                        f"horses.{name}: {getattr(horses, name)!r} does not go with horses.kind {horses.kind!r}"
                        f" (allowed: {only!r})"
                    )
            if self.kong.follow_horses:
                raise ValueError("kong.follow_horses: needs horses.kind 'drawn'")
        if horses.kind != "none" and horses.count + horses.count_discard == 0:
            raise ValueError(f"horses.count: 0 does not go with horses.kind {horses.kind!r} (allowed: 1 or more)")
        if horses.kind == "held" and horses.count > 5:
            raise ValueError(f"horses.count: at most 5 for each seat, not {horses.count}")
        if (horses.price == "fixed") != bool(horses.fixed):
            raise ValueError(f"horses.fixed: {horses.fixed} does not go with horses.price {horses.price!r}")
        if horses.pool == "reserved" and not self.play.last_tiles_reserved:
            raise ValueError("horses.pool: 'reserved' needs play.last_tiles_reserved of 1 or more")

    def _most_points(self) -> int:
        """Upper bound of what one seat can win or lose in one hand."""
        roles: dict[str, list[int]] = {role: [0] for role in patterns.ROLES}
        for price in self.patterns.values():
            roles[price.role].append(price.value)
        if self.scoring.method == "fan":
            in_cap = max(roles["pattern"]) + sum(roles["extra"])
            in_cap = max(min(in_cap, self.scoring.cap or in_cap), max(roles["floor"]))
            worth = 1 << max(in_cap, max(roles["special"]))
        else:
            dropped = self.scoring.implied == "drop"
            items = {slug: price.value for slug, price in self.patterns.items() if price.role == "item"}
            if "chicken" in items:
                items["chicken"] = max(items["chicken"], self.scoring.chicken_with_event)
            doubles = {slug: price.value for slug, price in self.patterns.items() if price.role == "double"}
            worth = most_together(items, self.scoring.items, dropped) * most_together(doubles, "multiply", False)
            worth = min(worth, self.scoring.cap or worth)
        horses = self.horses
        most = max(horses.count, horses.count_discard) + horses.without_ghost + horses.rob_extra
        most = min(most + MAX_REPEAT * horses.per_repeat, 20)
        most *= max(9, horses.honour_number) if horses.hit == "number" else 1
        drawn, held = (0, 4 * horses.count) if horses.kind == "held" else (most, 0)
        if self.dealer.repeat_mode == "add":
            worth += MAX_REPEAT * self.dealer.repeat_points
        elif self.dealer.repeat_mode == "double":
            worth <<= MAX_REPEAT
        share = {
            "hand": worth * (1 + drawn),
            "fixed": worth + drawn * horses.fixed,
            "double": worth << min(drawn, MAX_DOUBLINGS),
        }[horses.price]
        m = self.multiples
        kongs = max(m.concealed_kong, m.exposed_kong) ** 4 / 10**4
        each = kongs * (m.opened / 10) ** (4 if m.opened_each else 1)
        share = int(share * each * each * max(m.zimo, m.feeder) / 10)
        if self.scoring.loss_cap and share * self.scoring.base < MAX_UNCAPPED:
            share = min(share, max(self.scoring.loss_cap, self.scoring.loss_cap_all))
        share *= 1 + held  # held horses copy what has been capped
        side = 16 * 3 * (self.kong.direct + self.kong.added + self.kong.concealed) * (1 + drawn)
        side += 3 * tiles.N_FLOWERS * self.play.flower_price + 3 * self.dealer.follow_points + 180 * horses.fine
        return self.scoring.base * (9 * share + side)

    @property
    def honour_cycle(self) -> str:
        """Order of honours for a turned ghost, without those that the tile set lacks."""
        deck = tiles.TILE_SETS[self.tiles]
        return "".join(name for name in self.ghost.honour_cycle if tiles.KIND_OF[name] in deck)

    def pattern_name(self, index: int) -> str:
        """Name of pattern ``index`` in this rule set's table."""
        price = self.patterns.get(patterns.PATTERNS[index].slug)
        return price.name if price and price.name else patterns.PATTERNS[index].zh

    def source_of(self, path: str) -> str | None:
        """Return where a field's value comes from: the entry with the longest beginning of its dotted path."""
        parts = path.split(".")
        beginnings = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        return next((self.source[beginning] for beginning in beginnings if beginning in self.source), None)

    def __str__(self) -> str:
        """Name and digest in one line; `gdmj variants show` tells the rest."""
        return f"{self.slug} {self.name.zh} {self.name.en} ({self.digest()})"

    def __repr__(self) -> str:
        """Return the same in brackets: all fields would fill pages."""
        return f"<Rules {self}>"

    def digest(self) -> str:
        """SHA-256 over all that decides play and payments, no names and sources, 16 hex digits."""
        body = self.model_dump(exclude={"slug", "name", "summary", "source", "patterns"})
        body["patterns"] = {
            slug: (price.role, price.value) for slug, price in self.patterns.items() if price.role != "none"
        }
        return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Return the whole rule set as plain data that `from_dict` reads back."""
        return self.model_dump(mode="json")
