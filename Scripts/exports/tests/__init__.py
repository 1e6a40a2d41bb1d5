"""Tests of the verifier. Those that need the package jsonschema are skipped, and say so, where it is missing."""

import importlib.util
import sys

HAS_SCHEMAS = importlib.util.find_spec("jsonschema") is not None
WHY = "Python's package jsonschema is not here"

if not HAS_SCHEMAS:
    print(f"SKIPPED: {WHY}: the tests of the verifier of exports show little.", file=sys.stderr)
