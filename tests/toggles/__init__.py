"""Every field of the model as a toggle: two values, and what differs between them on common walls.

`entries` says what an entry is and plays both of its sides, `looks` finds the first move that differs. The table is
`deck`, `claims`, `wins`, `shares`, `payers`, `horses` and `dealer`, each with the laws that its fields follow. A law
takes the same hand under both values and says whether the documented situation is there (and asserts what then
differs). `tests/test_options.py` runs the table.
"""
