"""`python3 -m exports`: what Scripts/validate-exports runs."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
