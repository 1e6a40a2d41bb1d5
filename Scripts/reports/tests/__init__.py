"""Tests of the verifier of reports: it finds what is wrong, and is content with what is right."""

import importlib.util
import shutil

HAS_SCHEMAS = importlib.util.find_spec("jsonschema") is not None
HAS_XMLLINT = shutil.which("xmllint") is not None
HAS_CHROMIUM = shutil.which("chromium") is not None
