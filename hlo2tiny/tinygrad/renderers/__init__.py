"""The renderers of our own targets, which take kernels as data and what a target decides about them."""
