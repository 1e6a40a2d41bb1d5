"""The sample apps. A further one is a module with `build(sample)` and a line here."""

from . import trainlog

APPS = {
    "trainlog": trainlog.build,
}
