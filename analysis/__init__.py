"""Statistics of simulated Guangdong mahjong: Polars pipelines over the logs, charts, reports."""
