"""Bad inputs: property lists, stores and things that are no files, each with the exit codes that may answer it."""

from __future__ import annotations

from .item import Item
from . import binarylists, companions, specials, storefiles, storeschemas, storevalues, xmllists


def property_lists() -> list[Item]:
    """Bad property lists."""
    return binarylists.items() + xmllists.items()


def stores() -> list[Item]:
    """Bad stores, with their journals and logs."""
    return storefiles.items() + storeschemas.items() + storevalues.items() + companions.items()


def oddities() -> list[Item]:
    """FIFOs, links, folders, sparse files and odd names."""
    return specials.items()
