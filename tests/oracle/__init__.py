"""A slow twin of the simulator in plain Python, written from `sim/PLAY.md` alone.

It shares with the fast kernels only the data: tiles, schema, the list of patterns, and rule sets.
"""

from .play import Hand, HandResult, play_hand
from .table import play_table

__all__ = ["Hand", "HandResult", "play_hand", "play_table"]
