"""Settings of the whole test suite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray

from sim import tables
from tests import warm

settings.register_profile("gdmj", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gdmj")


def pytest_configure(config: pytest.Config) -> None:
    """Compile once, on all cores, what each of several workers would compile for itself."""
    is_worker = hasattr(config, "workerinput")
    if not is_worker and getattr(config.option, "numprocesses", None):
        warm.compile_all()


@pytest.fixture(scope="session")
def lookup() -> NDArray[np.uint8]:
    """The simulator's tables."""
    return tables.load()
