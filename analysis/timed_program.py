"""Run a program and print its seconds, CPU seconds, largest memory in bytes and exit status as JSON.

A file of its own that imports next to nothing: Linux counts the memory of who started a program into its largest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys


def main() -> None:
    """Run the program that the command line names; its output is dropped, its errors are passed on."""
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("usage: timed_program.py PROGRAM [ARGUMENT...]")
    start = os.times().elapsed
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as program:
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
    seconds, cpu = os.times().elapsed - start, usage.ru_utime + usage.ru_stime
    print(json.dumps([seconds, cpu, usage.ru_maxrss * unit, program.returncode]))


if __name__ == "__main__":
    main()
