"""The commands of the command line: `hlo2tiny NAME` is `run` of NAME.py; the others are what several of them do."""
