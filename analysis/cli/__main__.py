"""``python -m analysis.cli``: the command line without the installed script."""

import sys

from analysis.cli import main

sys.exit(main())
