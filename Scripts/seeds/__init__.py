"""Inputs of the fuzz targets: seeds, and the hostile inputs that the sweeps try on the command line."""
