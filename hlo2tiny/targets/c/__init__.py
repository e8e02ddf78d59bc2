"""The target of C: renderer, products, driver and runtime, beside their C templates."""
