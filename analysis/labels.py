"""What everything is called in Chinese and in English: every text that a chart or report shows of a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from analysis.overrides import changes
from sim import patterns
from sim.rules import Rules

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


def counting(n: int, noun: str) -> str:
    """English number and noun, the noun in the plural unless there is one; only nouns that take an s."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


class Label(NamedTuple):
    """One text in both languages."""

    zh: str
    en: str

    def of(self, language: Language) -> str:
        """Text in one language."""
        return self.zh if language == "zh" else self.en


LABELS: dict[str, Label] = {
    # Seats and places
    "seat_0": Label("座位0", "seat 0"),
    "seat_1": Label("座位1", "seat 1"),
    "seat_2": Label("座位2", "seat 2"),
    "seat_3": Label("座位3", "seat 3"),
    "bot_0": Label("机器人1", "bot 1"),
    "bot_1": Label("机器人2", "bot 2"),
    "bot_2": Label("机器人3", "bot 3"),
    "bot_3": Label("机器人4", "bot 4"),
    "dealer": Label("庄家", "dealer"),
    "next": Label("庄家下家", "next after dealer"),
    "opposite": Label("庄家对家", "opposite dealer"),
    "previous": Label("庄家上家", "before dealer"),
    "others": Label("闲家（平均）", "other seats (mean)"),
    "difference": Label("庄家减闲家", "dealer less others"),
    # Events
    "won": Label("胡牌", "win"),
    "won_zimo": Label("自摸", "win by self-draw"),
    "won_dianpao": Label("吃胡（别家点炮）", "win by discard"),
    "won_qianggang": Label("抢杠胡", "win by rob"),
    "dealt_in": Label("点炮或被抢杠", "dealt in"),
    "washout": Label("流局", "washout"),
    "zimo": Label("自摸", "self-draw"),
    "dianpao": Label("点炮", "discard"),
    "qianggang": Label("抢杠", "rob"),
    # Parts of points
    "points": Label("净分", "net points"),
    "coins": Label("币", "coins"),
    "hand": Label("胡牌分", "from wins"),
    "kong": Label("杠分", "from kongs"),
    "horse": Label("马分", "from horses"),
    # The dealer's lead
    "first_draw": Label("先摸牌的部分", "from drawing first"),
    "rest": Label("其余部分", "the rest"),
    "total": Label("合计", "total"),
    "hands": Label("每次做庄的局数", "hands in a turn as dealer"),
    "points_first": Label("其中第一局", "of that in the first hand"),
    "points_repeats": Label("其中连庄各局", "of that in repeat hands"),
    # Horses
    "none": Label("无马", "no horses"),
    "drawn": Label("奖马（胡牌人抓马）", "drawn by the winner"),
    "held": Label("买马（每家持马）", "held by every seat"),
    "origin.dealer": Label("从庄家数起", "counted from the dealer"),
    "origin.winner": Label("从胡牌人数起", "counted from the winner"),
    "origin.previous_winner": Label("从上局胡牌人数起", "counted from the previous winner"),
    "role.all": Label("任一家", "any seat"),
    "role.winner": Label("胡牌人", "winner"),
    "role.payer": Label("付分人", "payer"),
    "role.uninvolved": Label("无关的人", "uninvolved"),
    "role.dealer": Label("庄家", "dealer"),
    "shares": Label("份数", "shares"),
    "shares.drawn": Label("中马数", "hits"),
    "shares.held": Label("净份数", "net shares"),
    "exact": Label("精确值", "exact"),
    "sampled": Label("抽样值", "sampled"),
    "naive": Label("粗算 kn/N", "naive kn/N"),
    "hits": Label("中马数", "hits"),
    # Columns
    "group": Label("谁", "who"),
    "outcome": Label("结局", "outcome"),
    "turn": Label("胡牌前自己打出的张数", "winner's own discards before the win"),
    "rate": Label("比例", "rate"),
    "n": Label("样本数", "n"),
    "n_hands": Label("局数", "hands"),
    "n_wins": Label("胡牌数", "wins"),
    "count": Label("次数", "count"),
    "pattern": Label("番型", "pattern"),
    "per_1000_hands": Label("每千局次数", "per 1,000 hands"),
    "win_share": Label("占胡牌", "share of wins"),
    "points_share": Label("占分数", "share of points"),
    "mean_points": Label("平均每次分数", "mean points"),
    "mean_turn": Label("平均巡目", "mean turn"),
    "measure": Label("项目", "measure"),
    "mean": Label("平均", "mean"),
    "part": Label("组成", "part"),
    "length": Label("连续做庄局数", "hands in a row as dealer"),
    "keep_rate": Label("继续坐庄的比例", "rate of staying dealer"),
    "reach_rate": Label("至少做庄这么多局的比例", "share of turns at least so long"),
    "n_horses": Label("马数", "horses"),
    "sd": Label("标准差", "standard deviation"),
    "role": Label("持马人", "holder"),
    "own_discards": Label("自己打出的张数", "own discards"),
    "ready": Label("已听牌", "ready"),
    "won_by_then": Label("已胡牌", "won"),
    "ready_share": Label("已听牌的比例", "share ready"),
    "win_rate": Label("胡牌率", "win rate"),
    "share_of_wins": Label("占胡牌的比例", "share of wins"),
    "share_of_hands": Label("占全部牌局的比例", "share of hands"),
    "source": Label("胡牌方式", "way of winning"),
    "all": Label("全部", "all"),
    # Headline numbers
    "win_by_zimo": Label("自摸结束", "ended by self-draw"),
    "win_by_dianpao": Label("点炮结束", "ended by discard"),
    "win_by_qianggang": Label("抢杠结束", "ended by rob"),
    "win_turn": Label("平均胡牌巡目", "mean win turn"),
    "win_points": Label("每次胡牌总分（不计杠、马）", "points paid for a win, kongs and horses apart"),
    "points_sd": Label("一家每局净分的标准差", "standard deviation of a seat's net points in a hand"),
    "dealer_win_rate": Label("庄家胡牌率", "dealer's win rate"),
    "others_win_rate": Label("闲家胡牌率", "other seats' win rate"),
    "dealer_lead": Label("庄家胡牌率领先（百分点）", "dealer's lead in win rate (percentage points)"),
    "dealer_points": Label("庄家每局净分", "dealer's net points in a hand"),
    "deal_hands": Label("每次做庄局数", "hands in a turn as dealer"),
    "deal_points": Label("每次做庄净分", "net points in a turn as dealer"),
    "horse_points": Label("胡牌人每次的马分", "winner's horse points in a win"),
}

# Short English names; `sim.patterns` has the definitions.
_PATTERNS_EN = {
    "chicken": "chicken hand",
    "pinghu": "all chows",
    "pengpeng": "all pungs",
    "hunyise": "half flush",
    "qingyise": "full flush",
    "hunpeng": "half flush, all pungs",
    "qingpeng": "full flush, all pungs",
    "seven_pairs": "seven pairs",
    "luxury_seven_pairs": "luxury seven pairs",
    "double_luxury": "double luxury pairs",
    "triple_luxury": "triple luxury pairs",
    "hunyaojiu": "terminals and honours",
    "qingyaojiu": "all terminals",
    "xiaosanyuan": "little three dragons",
    "dasanyuan": "big three dragons",
    "xiaosixi": "little four winds",
    "dasixi": "big four winds",
    "ziyise": "all honours",
    "jiulian": "nine gates",
    "thirteen_orphans": "thirteen orphans",
    "quanqiuren": "four exposed sets",
    "jiangyise": "only 2, 5, 8",
    "tianhu": "heavenly hand",
    "dihu": "earthly hand",
    "renhu": "win on first discard",
    "seat_wind": "own wind pung",
    "round_wind": "round wind pung",
    "dragon_1": "one dragon pung",
    "dragon_2": "two dragon pungs",
    "menqing": "concealed hand",
    "zimo": "self-draw",
    "gangkai": "win on kong draw",
    "gangpao": "win on kong discard",
    "qianggang": "robbing a kong",
    "haidi": "last tile",
    "triple_win": "three winners",
    "yinghu": "no ghost used",
    "four_ghosts": "four ghosts",
    "quemen": "one suit missing",
    "dianpao": "win by discard",
}


def label(key: str) -> Label:
    """Both texts of a code.

    Raises
    ------
    KeyError
        For a code without texts.
    """
    return LABELS[key]


def text(key: str, language: Language) -> str:
    """Text of a code in one language."""
    return label(key).of(language)


def pattern_label(slug: str, rules: Rules) -> Label:
    """Name of a pattern; the Chinese one is the rule set's own where it gives one."""
    return Label(rules.pattern_name(patterns.INDEX[slug]), _PATTERNS_EN[slug])


def rules_label(rules: Rules) -> Label:
    """Name of a rule set and the fields that were changed in it."""
    changed = changes(rules)
    name = Label(rules.name.zh, rules.name.en)
    return Label(*(f"{text} · {changed}" for text in name)) if changed else name


def rules_labels(rules: Mapping[str, Rules]) -> dict[str, Label]:
    """Name of each of several rule sets, with its key behind it where two would have the same."""
    names = {key: rules_label(one) for key, one in rules.items()}
    zh, en = ([name.of(language) for name in names.values()] for language in LANGUAGES)
    return {
        key: Label(*(f"{text} ({key})" for text in name)) if zh.count(name.zh) + en.count(name.en) > 2 else name
        for key, name in names.items()
    }
