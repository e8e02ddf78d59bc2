"""Running a plan."""
