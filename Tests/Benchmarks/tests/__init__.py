"""The benchmarks' own logic; nothing here is timed."""
