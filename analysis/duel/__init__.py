"""Which of two bots wins more points from the other on the same walls."""
