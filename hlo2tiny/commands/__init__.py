"""The commands of the command line: `hlo2tiny NAME` is `run` in NAME.py; the other modules are shared by several."""
