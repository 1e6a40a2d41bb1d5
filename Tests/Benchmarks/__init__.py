"""Benchmarks: generated stores, and Godwit compared with the tools that people would pick instead."""
