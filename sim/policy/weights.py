"""The numbers by which `value` and `defend` weigh chance against worth: columns of their rows of the rules' array.

All are in 1/64 where nothing else is said; `sim.weights` reads the fitted ones.
"""

from __future__ import annotations

N_NEEDS = 6  # needs that are told apart
N_STAGES = 11  # stages of a hand: tiles left in the wall // 8, at most 10

# Numbers that self-play fits, and what each means.
NAMES = {
    "discards": "how many own draws the discards of the three others are worth to a ready hand",
    "suit": "what a plan of one suit and honours multiplies the chance by, for each tile needed but the last",
    "pure": "the same for a plan of one suit, of terminals, of honours",
    "pungs": "the same for a plan of pungs, beside that of its suit",
    "pairs": "the same for seven pairs and thirteen orphans",
    "peng": "how much more a tile counts that completes a pair to a pung, in plans of pungs",
    "relief": "what ending the hand is worth beside the payment, in cheapest wins",
    "mix": "share of the other plans' value that counts beside the best plan's",
    "margin": "how many tiles more a dearer plan may need to be looked at (a number)",
    "back": "what a discard that needs more tiles than another one multiplies a plan's value by",
    "kong": "what the replacement multiplies the value of a hand by",
    "claim": "what claiming nothing multiplies the value of a hand by",
    "early": "how much the cost of feeding a win counts while 48 tiles or more are left in the wall",
    "middle": "the same with 24 to 47 left",
    "late": "the same with fewer left",
}
(
    W_DISCARDS,
    W_SUIT,
    W_PURE,
    W_PUNGS,
    W_PAIRS,
    W_PENG,
    W_RELIEF,
    W_MIX,
    W_MARGIN,
    W_BACK,
    W_KONG,
    W_CLAIM,
    W_EARLY,
    W_MIDDLE,
    W_LATE,
) = range(len(NAMES))
FEARS = ("early", "middle", "late")
MIDDLE_FROM, LATE_FROM = 48, 24  # a hand's middle and its end begin when fewer tiles are left in the wall
# Numbers that are measured, by name; the places of their columns and what they mean follow.
MEASURED = ("chance", "half", "ready", "wait", "factors", "aims", "prices")
# For each need and stage the chance to win if any tile helped, in 1/65536; for each need the acceptance that halves it.
W_CHANCE = len(NAMES)
W_HALF = W_CHANCE + N_NEEDS * N_STAGES
# For melds, discards // 3 (at most 6) and discards in a row straight from the draw (at most 3) of a seat the chance
# that it is ready; for the class of a tile, its unseen copies (at most 3) and those of the neighbour of which fewer are
# unseen (at most 2; 2 for honours) the chance that a ready seat wins on it: in 1/65536.
N_WHILES, N_KEPT, N_UNSEEN, N_CLASSES, N_NEAR = 7, 4, 4, 5, 3
W_READY = W_HALF + N_NEEDS
W_WAIT = W_READY + 5 * N_WHILES * N_KEPT
# What it is multiplied by: a kind in the seat's river; of the suit that two melds point to, or of another one.
W_AGAIN = W_WAIT + N_CLASSES * N_UNSEEN * N_NEAR
W_INSIDE, W_OUTSIDE = W_AGAIN + 1, W_AGAIN + 2
# The chance that a ready seat has the flush that two, three or four melds point to, and a hand of pungs after three, in
# 1/65536.
N_AIMS, PUNGS_AIM = 4, 3
W_AIMS = W_AGAIN + 3
# What feeding a win costs beside the price that the winner's melds tell, in 1/64: nothing told of flush or pungs; told.
N_PRICES, MAX_PRICE = 2, 1024
W_PRICES = W_AIMS + N_AIMS
W_ONE = W_PRICES + N_PRICES  # 1
N_WEIGHTS = W_ONE + 1
UNIT, CHANCE_UNIT = 64.0, 65536.0
