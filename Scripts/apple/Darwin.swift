/// Empty: it only makes `canImport(Darwin)` true.
