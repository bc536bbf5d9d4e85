"""Rule sets: a frozen, checked model of one house's rules (`model`), read from TOML (`files`)."""

from __future__ import annotations

from sim.rules.files import VARIANTS, from_dict, load, names
from sim.rules.model import MAX_DOUBLINGS, MAX_REPEAT, Rules, RulesError, Text

__all__ = ["MAX_DOUBLINGS", "MAX_REPEAT", "VARIANTS", "Rules", "RulesError", "Text", "from_dict", "load", "names"]
