"""How fast is it: kernels, hands, logs and start, by CPU time, beside the aims and beside other programs.

`figure` says what one measured number is, `hands` makes the hands that are asked about; `kernels`, `play`, `logs`,
`start`, `growth` and `peers` measure; `page` writes what was found. CPU time is that of the whole process, all threads;
every number is the median of several short runs, with the least and the largest.
"""
