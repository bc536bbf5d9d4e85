"""Settings of the whole test suite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

from sim import tables

settings.register_profile("gdmj", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gdmj")


@pytest.fixture(scope="session")
def lookup() -> NDArray[np.uint8]:
    """The simulator's tables."""
    return tables.load()
