"""What the commands do: measure, check, compare and convert programs."""
