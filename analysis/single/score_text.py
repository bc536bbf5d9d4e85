"""Answers of ``gdmj score --explain`` as text for reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_FORMS = {
    "standard": "四组一对 four sets and a pair",
    "seven_pairs": "七对 seven pairs",
    "thirteen_orphans": "十三幺 thirteen orphans",
    "four_ghosts": "四鬼胡 four ghosts",
}
_WORTH = {
    "item": "{}",
    "double": "x{}",
    "pattern": "{} fan",
    "extra": "+{} fan",
    "special": "{} fan alone",
    "floor": "at least {} fan",
}
_LIABILITY = {
    "gangkai_direct": "杠爆 its direct kong was fed",
    "dragons_winds": "大三元、大四喜 the last pung was fed",
    "twelve_tiles": "十二张落地 the fourth set was fed",
    "quanqiuren": "全求人 fed by who was not ready",
}


_MULTIPLES = {
    "zimo": "自摸 self-draw",
    "feeder": "放冲 fed the win",
    "opened": "开口 exposed meld",
    "concealed_kong": "暗杠 concealed kong",
    "exposed_kong": "明杠 exposed kong",
}


def to_text(answer: Mapping[str, Any]) -> str:
    """Return one answer, of one winner or of several, as lines; an empty line ends it."""
    return "\n".join([*_lines(answer), ""])


def _lines(answer: Mapping[str, Any]) -> Iterator[str]:
    if "error" in answer:
        yield f"error: {answer['error']}"
        return
    if not isinstance(answer["is_win"], list):
        if not answer["is_win"]:
            yield f"不胡 no win: {answer['reason']}"
            return
        yield from _hand(answer["explain"], answer["fan"], answer["points"])
    else:
        reasons = answer.get("reason", [None] * len(answer["is_win"]))
        paid = answer.get("paid", answer["is_win"])
        told = zip(answer["explain"]["hands"], answer["fan"], answer["points"], reasons, paid, strict=True)
        for i, (hand, fan, points, reason, is_paid) in enumerate(told, start=1):
            if hand is None:
                yield f"第{i}手 hand {i}: 不胡 no win: {reason}"
            else:
                unpaid = "" if is_paid else "  截胡，不得分 not paid: another winner goes before"
                yield f"座位{hand['winner']} seat {hand['winner']}{unpaid}"
                yield from _hand(hand, fan, points)
    yield "付分 payments"
    for entry in answer["explain"]["payments"]:
        yield f"  {entry['from']} -> {entry['to']}: {entry['points']}  {_reason(entry)}"
    yield "  合计 total: " + " ".join(f"{points:+d}" if points else "0" for points in answer["payments"])


def _hand(hand: Mapping[str, Any], fan: int | None, points: int) -> Iterator[str]:
    tiles = " ".join([*hand["sets"], *([hand["pair"]] if hand["pair"] else [])])
    yield f"{_FORMS[hand['form']]}: {tiles}"
    for ghost, kinds in hand["ghosts"].items():
        yield f"  鬼 ghost {ghost} = {' '.join(kinds)}"
    for entry in hand["fans"]:
        yield f"  {entry['name']}  {_WORTH[entry['role']].format(entry['value'])}  [{entry['source'] or '-'}]"
    yield f"  一份 a share, drawn horses included: {points}" + ("" if fan is None else f"  ({fan} fan)")


def _multiple(record: Mapping[str, Any]) -> str:
    return f"{_MULTIPLES[record['field']]} x{record['times']:g}"


def _reason(entry: Mapping[str, Any]) -> str:
    reason = entry["reason"]
    if reason == "liability":
        return f"包 liability: {_LIABILITY[entry['kind']]} [{entry['source'] or '-'}]"
    if reason == "rob":
        return f"抢杠 rob, shares: {entry['shares']}"
    if reason == "horse" and "holder" in entry:
        return f"马 horse {entry['tile']} of seat {entry['holder']} means seat {entry['seat']}"
    if reason in ("horse", "horse_fine"):
        what = "罚马 fine for horse" if reason == "horse_fine" else "中马 horse"
        return f"{what} {entry['tile']}, seat {entry['seat']}"
    if reason == "multiples":
        sides = [("胡家 winner", entry["winners"]), (f"座位{entry['seat']} seat {entry['seat']}", entry["losers"])]
        told = [f"{who}: " + ", ".join(_multiple(record) for record in records) for who, records in sides if records]
        return f"倍数 multiples of what seat {entry['seat']} owes; " + "; ".join(told)
    if reason == "repeat":
        return f"连庄 repeat deals: {entry['repeat']}"
    if reason == "kong_horse":
        return f"马跟杠 horses follow kongs, hits: {entry['hits']}"
    return {"share": "一份 share", "loss_cap": "封顶 caps on losses", "kong_pay": "杠 kong", "other_pay": "其他 other"}[
        reason
    ]
