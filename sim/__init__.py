"""Guangdong mahjong simulator: rule sets as data, whole hands as numba kernels, Parquet logs."""
