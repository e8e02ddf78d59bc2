"""What runs a plan: a folder for each target, and the table of them."""
