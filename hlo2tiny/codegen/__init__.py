"""Plans as source code of other languages."""
