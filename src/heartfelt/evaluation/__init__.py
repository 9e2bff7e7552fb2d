"""The laboratory: datasets, tasks, metrics and statistics, to compare systems honestly."""
