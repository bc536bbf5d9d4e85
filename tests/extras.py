"""Small results of `gdmj compare`, `gdmj tips` and `gdmj session`, as they lie in a folder."""

from __future__ import annotations

import json

MEASURES = ("win_rate", "washout", "win_points", "points_sd", "dealer_net", "chicken_share", "turns")


def effect(contrast, measure, value, half=0.1):
    return {
        "contrast": contrast,
        "measure": measure,
        "base": 2.0,
        "effect": value,
        "se": half / 2,
        "low": value - half,
        "high": value + half,
        "p": 0.01,
        "n_events": 100,
        "worth": 3.5,
        "is_exact": False,
    }


def comparison(contrasts=("horses.count=2", "horses.count=8")):
    effects = [effect(c, m, 0.5 * (i - 1) * j) for i, c in enumerate(contrasts) for j, m in enumerate(MEASURES)]
    return {
        "base": "zhuama", "bots": ["ukeire"] * 4, "policy": "fixed", "mode": "duplicate", "seed": 1, "hands": 1000,
        "effects": effects,
    }  # fmt: skip


def verdict(number, **changed):
    return {
        "id": f"T{number:02d}", "zh": "先打字牌", "en": "Discard honours first", "method": "arena", "rules": "jipinghu",
        "bots": "ukeire+T01", "effect": 0.3, "low": 0.1, "high": 0.5, "unit": "points a hand", "n": 10_000,
        "smallest": 0.1, "p": 0.001, "p_holm": 0.01, "verdict": "supported", "needed": None,
        "note_zh": "", "note_en": "",
    } | changed  # fmt: skip


def verdicts():
    nothing = dict.fromkeys(("effect", "low", "high", "n", "smallest", "p", "p_holm"))
    return {
        "provenance": {},
        "verdicts": [
            verdict(1),
            verdict(2, effect=-0.2, low=-0.3, high=-0.1, verdict="refuted"),
            verdict(3, verdict="open", low=-0.5, needed=2_500_000),
            verdict(4, verdict="untestable", **nothing),
        ],
    }


def sessions():
    def value(number):
        return {"value": number, "low": number - 1, "high": number + 1}

    quantiles = (0.05, 0.25, 0.5, 0.75, 0.95)
    one = {
        "rules": "maima", "bot": "ukeire", "unit": "points", "sessions": 1000, "hands": 3, "n0": None,
        "mean_hand": {"value": 0.0, "low": 0.0, "high": 0.0}, "sd": value(30.0),
        "ahead": {"value": 0.5, "low": 0.48, "high": 0.52},
        "quantiles": {str(p): value(60 * p - 30) for p in quantiles},
        "ruin": {"50": {"value": 0.1, "low": 0.08, "high": 0.12}},
        "fan": {"hands": [1, 2, 3], "quantiles": {str(p): [20 * (p - 0.5) * h for h in (1, 2, 3)] for p in quantiles}},
    }  # fmt: skip
    return {"sessions": [one, one | {"rules": "zhuama", "changes": "horses.count=2", "ruin": {}}]}


def write(folder):
    """Lay all three into a folder."""
    for name, data in (("compare", comparison()), ("tips", verdicts()), ("session", sessions())):
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
