"""Benchmarks: generated stores, and Godwit beside the tools that people would pick instead."""
