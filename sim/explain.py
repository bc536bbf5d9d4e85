"""Why a win pays what it pays: the reading that was priced, its patterns with their sources, every single payment.

`explain` finds a reading with exactly the patterns and points that `sim.score.score` returned, and splits its payments
into parts that sum to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sim import patterns, tiles
from sim.explain_payments import of_vectors, of_winner
from sim.explain_reading import FOUR_GHOSTS, OpenHand, find_reading
from sim.rules import Rules
from sim.score import Claim, Result, Table

_EVENTS_OF_CHICKEN = (patterns.GANGKAI, patterns.P_QIANGGANG, patterns.HAIDI)


def _fans(rules: Rules, result: Result) -> list[dict[str, Any]]:
    """Return the counted patterns with role, value and the clause that says so."""
    fans: list[dict[str, Any]] = []
    changes = any(
        result.events >> p & 1 and _role(rules, patterns.PATTERNS[p].slug) != "none" for p in _EVENTS_OF_CHICKEN
    )
    for index, pattern in enumerate(patterns.PATTERNS):
        if not result.counted >> index & 1:
            continue
        value, path = rules.patterns[pattern.slug].value, f"patterns.{pattern.slug}"
        if index == patterns.CHICKEN and changes and rules.scoring.method == "sum":
            value, path = rules.scoring.chicken_with_event, "scoring.chicken_with_event"
        fans.append(
            {
                "name": rules.pattern_name(index),
                "slug": pattern.slug,
                "role": _role(rules, pattern.slug),
                "value": value,
                "source": rules.source_of(path),
            }
        )
    return fans


def _role(rules: Rules, slug: str) -> str:
    entry = rules.patterns.get(slug)
    return entry.role if entry else "none"


def _hand(rules: Rules, claim: Claim, table: Table, result: Result) -> dict[str, Any]:
    reading = find_reading(rules, claim, table, result)
    ghosts = OpenHand(rules, claim, table).ghosts
    stands: dict[str, list[str]] = {}
    as_themselves = not reading.filled and reading.form != FOUR_GHOSTS
    stands_for = ghosts if as_themselves else reading.filled  # in 四鬼胡 they stand for nothing
    for ghost, kind in zip(ghosts, stands_for, strict=False):
        stands.setdefault(tiles.KIND_NAMES[ghost], []).append(tiles.KIND_NAMES[kind])
    return {
        "winner": claim.winner,
        "form": reading.form,
        "sets": [tiles.show(group.kinds) for group in reading.sets],
        "pair": tiles.show(reading.pair.kinds) if reading.pair else None,
        "ghosts": stands,
        "fans": _fans(rules, result),
    }


def explain(
    rules: Rules, claims: Sequence[Claim], table: Table, results: Sequence[Result]
) -> tuple[list[dict[str, Any] | None], list[dict[str, Any]]]:
    """Explain what `sim.score.score` returned for the same arguments.

    Returns
    -------
    hands, payments
        For each claim ``winner``, ``form``, ``sets``, ``pair``, ``ghosts`` (kind of ghost -> what each of them stands
        for) and ``fans``, None for no win. Payments of all winners, then of kongs: ``from``, ``to``, ``points``,
        ``reason`` (share, rob, liability, repeat, multiples, horse, horse_fine, kong_horse, loss_cap, kong_pay,
        other_pay) and what belongs to the reason.
    """
    hands = [
        _hand(rules, claim, table, result) if result.is_win else None
        for claim, result in zip(claims, results, strict=True)
    ]
    paid = [(claim, result) for claim, result in zip(claims, results, strict=True) if result.is_paid]
    table = replace(table, other_melds={**table.other_melds, **{claim.winner: claim.melds for claim in claims}})
    payments = [entry for claim, result in paid for entry in of_winner(rules, claim, table, result, len(paid))]
    others = of_vectors("kong_pay", table.kong_pay) + of_vectors("other_pay", table.other_pay)
    return hands, payments + others
