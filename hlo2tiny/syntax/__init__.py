"""Text or bytes → `Module` (parser.py), and back (printer.py)."""
