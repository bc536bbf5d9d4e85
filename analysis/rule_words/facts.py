"""What a rule set makes possible, as far as its options decide it."""

from __future__ import annotations

from sim import patterns, tiles
from sim.rules import Rules

EVENTS_OF_CHICKEN = ("gangkai", "qianggang", "haidi")
_LUXURY = ("luxury_seven_pairs", "double_luxury", "triple_luxury")


class Facts:
    """What a rule set makes possible."""

    def __init__(self, rules: Rules) -> None:
        ways = rules.win.ways
        self.rules = rules
        self.zimo, self.discard, self.rob = ("zimo" in ways, "dianpao" in ways, "qianggang" in ways)
        self.by_tile = self.discard or self.rob
        self.several = self.by_tile and rules.win.multiple == "all"
        self.ghosts = rules.ghost.mode != "none"
        self.four_ghosts = self.ghosts and rules.ghost.four == "win" and self.zimo
        deck = tiles.TILE_SETS[rules.tiles]
        self.honours = max(deck) >= tiles.FIRST_HONOUR
        self.winds = tiles.FIRST_HONOUR in deck
        self.dragons = tiles.N_KINDS - 1 in deck  # all three of them
        self.standard = "standard" in rules.win.forms
        self.pairs = "seven_pairs" in rules.win.forms
        self.melded = self.standard or self.four_ghosts  # a hand with melds can win
        self.is_sum = rules.scoring.method == "sum"
        self.kong_money = bool(rules.kong.direct or rules.kong.added or rules.kong.concealed)
        self.kongs_multiply = rules.multiples.concealed_kong > 10 or rules.multiples.exposed_kong > 10
        self.losers_differ = self.kongs_multiply or rules.multiples.opened > 10  # in what they owe
        self.draws_after_rob = self.rob and rules.horses.on_rob
        self.declares = rules.play.declare == "needed"  # before any win, and no kong of one's own afterwards

    def priced(self, slug: str) -> bool:
        """Whether a pattern has a role and can be had."""
        price = self.rules.patterns.get(slug)
        return price is not None and price.role != "none" and self.possible(slug)

    def possible(self, slug: str) -> bool:
        """Whether a hand can have a pattern at all, as far as the options decide it."""
        rules = self.rules
        if slug == "chicken":
            return bool(rules.win.chicken_ways) or self.doubles_alone
        needs: dict[str, bool] = {
            "seven_pairs": self.pairs,
            "thirteen_orphans": "thirteen_orphans" in rules.win.forms,
            "hunyise": self.honours,
            "hunpeng": self.standard and self.honours,
            "ziyise": self.dragons,
            "tianhu": self.zimo and not self.declares,
            "dihu": self.zimo and not self.declares,
            "renhu": self.discard and not self.declares,
            "zimo": self.zimo or (self.rob and rules.scoring.rob_is_zimo),
            "gangkai": self.zimo and self.melded and not self.declares,
            "gangpao": self.discard,
            "dianpao": self.discard,
            "qianggang": self.rob,
            "haidi": self.zimo,
            "triple_win": self.several,
            "yinghu": self.ghosts,
            "four_ghosts": self.four_ghosts,
        }
        needs |= dict.fromkeys(_LUXURY, self.pairs)
        needs |= dict.fromkeys(("pinghu", "pengpeng", "qingpeng", "jiulian", "quanqiuren"), self.standard)
        needs |= dict.fromkeys(("xiaosanyuan", "dasanyuan"), self.standard and self.dragons)
        needs |= {"dragon_1": self.melded and self.honours, "dragon_2": self.melded and self.dragons}
        needs |= dict.fromkeys(("xiaosixi", "dasixi"), self.standard and self.winds)
        needs |= dict.fromkeys(("seat_wind", "round_wind"), self.melded and self.winds)
        return needs.get(slug, True)

    def is_item(self, slug: str) -> bool:
        """Whether a pattern is an item that can be had."""
        return self.priced(slug) and self.rules.patterns[slug].role == "item"

    @property
    def doubles_alone(self) -> bool:
        """Whether a hand can have doubles for its tiles and no item, and so the plain hand's item."""
        prices = self.rules.patterns
        shapes = (p.slug for p in patterns.PATTERNS if p.scope == "shape" and p.slug != "chicken")
        return (
            self.is_sum
            and "chicken" in prices
            and prices["chicken"].role == "item"
            and any(self.priced(slug) and prices[slug].role == "double" for slug in shapes)
        )

    @property
    def chicken_changes(self) -> bool:
        """Whether an event can change the item of a chicken hand."""
        return self.is_sum and self.is_item("chicken") and any(self.priced(slug) for slug in EVENTS_OF_CHICKEN)

    @property
    def items_imply(self) -> bool:
        """Whether one item can contain another."""
        return self.is_sum and any(
            self.is_item(slug) and any(self.is_item(other) for other in implied)
            for slug, implied in patterns.IMPLIES.items()
        )

    @property
    def has_luxury(self) -> bool:
        """Whether fours of 豪华七对 may be made with ghosts."""
        natural = "seven_pairs" in self.rules.win.natural_forms
        return self.ghosts and not natural and any(self.priced(slug) for slug in _LUXURY)

    @property
    def has_yinghu(self) -> bool:
        """Whether it can matter that ghosts count as their own kind."""
        natural = bool(self.rules.win.natural_forms) or (self.has_luxury and self.rules.scoring.luxury_natural)
        return self.ghosts and (self.priced("yinghu") or natural)

    @property
    def horses_miss(self) -> bool:
        """Whether a drawn horse may miss a winner."""
        horses = self.rules.horses
        return horses.hit == "class" or (self.honours and horses.honour_number == 0)

    @property
    def first_turn(self) -> bool:
        """Whether anything hangs on the window of 地和 and 人和."""
        return self.priced("dihu") or self.priced("renhu")

    @property
    def draws_after_discard(self) -> bool:
        """Whether a win that is no self-draw can draw horses."""
        return self.discard or self.draws_after_rob
