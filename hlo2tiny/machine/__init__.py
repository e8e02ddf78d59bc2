"""What we use of the machine: its compilers, libraries and processes, and the cache of what was compiled for it."""
