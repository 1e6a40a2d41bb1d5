"""The sample apps. A further one is a module with `build(sample)` and a line here."""

from . import deets, luego, trainlog, trendy

APPS = {
    "deets": deets.build,
    "luego": luego.build,
    "trainlog": trainlog.build,
    "trendy": trendy.build,
}
