"""Level sets of generalised input-convex neural networks."""
