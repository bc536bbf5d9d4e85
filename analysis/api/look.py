"""How runs, rule sets, comparisons, duels and sessions look in a notebook."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from analysis.api.markup import between, box, number, table, title
from analysis.labels import label, rules_label

if TYPE_CHECKING:
    from analysis.compare.effects import Effect
    from analysis.compare.run import Comparison
    from analysis.duel.run import Duel
    from analysis.scan import Run
    from analysis.session_risk import Estimate, SessionRisk
    from sim.rules import Rules

_OUTCOMES = ("zimo", "dianpao", "qianggang", "washout")


def both(name: str) -> str:
    """Name of a code in Chinese and English."""
    return " ".join(label(name))


def run_html(run: Run) -> str:
    """Show what a run is of, and how its hands end."""
    from analysis.possible import outcomes
    from analysis.tables import table as answer

    bots = run.manifest["bots"]
    name = " ".join(rules_label(run.rules))
    note = f"{run.n_hands:,} hands · {', '.join(dict.fromkeys(bots))} · seed {run.manifest['seed']} · {run.path}"
    ends = {row["outcome"]: row for row in answer(run, "outcomes").fill_null(math.nan).iter_rows(named=True)}
    rows = [
        (both(end), f"{100 * ends[end]['rate']:.2f} %", between(*(100 * ends[end][side] for side in ("low", "high"))))
        for end in _OUTCOMES
        if end in outcomes(run.rules)
    ]
    return box(title(f"{run.rules.slug} {name}", note), table(("", "", "95 %"), rows))


def rules_html(rules: Rules) -> str:
    """Show a rule set in words, topic by topic, and its patterns."""
    from analysis.rule_words import TOPICS, prices, sentences

    name = rules_label(rules)
    rows = [(" ".join(TOPICS[told.topic]), told.zh, told.en) for told in sentences(rules)]
    topics = [row[0] for row in rows]
    rows = [("" if i and topics[i - 1] == topic else topic, zh, en) for i, (topic, zh, en) in enumerate(rows)]
    worth = [(row.zh, row.worth_zh, row.en, row.worth_en) for row in prices(rules)]
    return box(
        title(f"{rules.slug} {name.zh} {name.en}"),
        table(("", "", ""), rows, n_texts=3),
        table(("番型", "值", "pattern", "worth"), worth, n_texts=4),
    )


def comparison_html(result: Comparison) -> str:
    """Show each effect with its interval."""
    from analysis.compare.measures import MEASURES
    from analysis.extra_figures import EFFECT_HEADS

    rows = []
    for contrast in result.contrasts:
        effects = [effect for effect in result.effects if effect.contrast == contrast.label]
        for i, effect in enumerate(effects):
            name = f"{EFFECT_HEADS[effect.measure].zh} {MEASURES[effect.measure].meaning}"
            rows.append(("" if i else contrast.label, name, *_effect(effect)))
    heads = ("", "", "原来 base", "差 effect", "95 %", "p")
    note = f"{result.n_hands:,} hands on common walls, {', '.join(dict.fromkeys(result.trial.line_ups[0]))}"
    return box(title(f"{result.arms[0].label}: {result.stop}", note), table(heads, rows, n_texts=2))


def _effect(effect: Effect) -> tuple[str, str, str, str]:
    from analysis.compare.measures import RATES

    factor, unit = (100, " %") if effect.measure in RATES else (1, "")
    base = f"{number(factor * effect.base)}{unit}"
    if effect.is_exact or effect.n_events == 0:
        return base, "不变 same", "", ""
    change = f"{number(factor * effect.effect, sign='+')}{unit.replace('%', 'pp')}"
    limits = between(factor * effect.low, factor * effect.high, sign="+")
    p = "" if math.isnan(effect.p) else "<1e-9" if effect.p < 1e-9 else f"{effect.p:.2g}"
    return base, change, limits, p


def duel_html(duel: Duel) -> str:
    """Show what the first bot wins from the second."""
    rows = [
        (
            "每家每局多得的分 points of a seat in a hand",
            number(duel.mean, 3, "+"),
            between(duel.low, duel.high, 3, "+"),
        ),
        (
            "胡牌率 win rate",
            f"{number(100 * duel.win_rate, 2, '+')} pp",
            between(100 * duel.win_rate_low, 100 * duel.win_rate_high, 2, "+"),
        ),
        ("局数 hands played", f"{duel.hands:,}", ""),
        ("一局抵几局 plain hands that one counts for", number(duel.worth, 1), ""),
    ]
    return box(title(f"{duel.rules}: {duel.a} − {duel.b}", duel.stop), table(("", "", "95 %"), rows))


def session_html(risk: SessionRisk) -> str:
    """Show what sessions bring."""
    n0 = f"{risk.n0:,.0f} 局 hands" if math.isfinite(risk.n0) else "永不 never, the game is even"
    rows = [
        ("每局平均 mean of a hand", *_estimate(risk.mean_hand)),
        ("一场的标准差 standard deviation of a session", *_estimate(risk.sd)),
        ("赢钱的场次 ahead after a session", *_estimate(risk.ahead, 100, " %")),
        ("平均超过波动 mean exceeds spread (N0)", n0, ""),
        ("最长连输局数 longest losing streak, hands", *_estimate(risk.streak_mean)),
    ]
    rows += [
        (f"{100 * p:g} % 的场次不高于 of sessions end at or below", *_estimate(q)) for p, q in risk.quantiles.items()
    ]
    rows += [(f"输光 {b:,} lost", *_estimate(chance, 100, " %")) for b, chance in risk.ruin.items()]
    note = f"{risk.sessions:,} sessions of {risk.hands} hands, in {risk.unit}"
    return box(title(risk.label, note), table(("", "", "95 %"), rows))


def _estimate(value: Estimate, factor: float = 1.0, unit: str = "") -> tuple[str, str]:
    limits = "" if value.low == value.high else between(factor * value.low, factor * value.high)
    return f"{number(factor * value.value)}{unit}", limits


def teach_notebook() -> None:
    """Let a notebook show rule sets, which know nothing of notebooks themselves."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.display_formatter.formatters["text/html"].for_type_by_name("sim.rules.model", "Rules", rules_html)
