"""`python -m hlo2tiny`."""

import sys

from .cli import main

sys.exit(main())
