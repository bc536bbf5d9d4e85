"""Do the strategy tips of the sources hold? Each tip as a hypothesis, its test, its verdict.

`model` says what a tip and a check are; one module for each family of tips states claims, conditions, outcomes and
baselines; `registry` lists them all. `moves` and `shapes` read traces, `matched` estimates, `judge` gives verdicts,
`run` plays and answers, `page` writes.
"""
