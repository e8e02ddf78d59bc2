"""The C target: renderer, products, driver and runtime, next to their C templates."""
