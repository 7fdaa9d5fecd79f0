"""Rate of the radius search beside a loop over rays with scipy: ``python -m gicnn.levelset.benchmark``."""

import argparse
import resource
import time

import torch
from jaxtyping import Float
from scipy.optimize import brentq
from torch import Tensor
from torch.nn import functional as F

from gicnn.levelset.functions import ScalarFunction
from gicnn.levelset.minimum import find_minimum
from gicnn.levelset.radius import find_radii

__all__ = ["input_convex", "main"]


def input_convex(dim: int, width: int, depth: int, seed: int) -> ScalarFunction:
    """Make an untrained input-convex network with softplus layers, in float64 (section 3.4)."""
    draw = torch.Generator().manual_seed(seed)
    options = {"generator": draw, "dtype": torch.float64}
    skips = [torch.randn(dim, width, **options) for _ in range(depth)]
    biases = [torch.randn(width, **options) for _ in range(depth)]
    convex = [torch.rand(width, width, **options) * (2 / width) for _ in range(depth - 1)]
    last = torch.rand(width, **options) * (2 / width)

    def function(x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch"]:
        hidden = F.softplus(x @ skips[0] + biases[0])
        for weight, skip, bias in zip(convex, skips[1:], biases[1:], strict=True):
            hidden = F.softplus(hidden @ weight + x @ skip + bias)
        return hidden @ last

    return function


def loop_with_brentq(
    function: ScalarFunction, centre: Tensor, directions: Tensor, level: float
) -> Float[Tensor, " n"]:
    """Search one ray after the other: the bracket grows by doubling, then brentq closes it."""
    radii = []
    for direction in directions:

        def excess(radius: float, direction: Tensor = direction) -> float:
            return function(centre + radius * direction).item() - level

        high = 1.0
        while excess(high) < 0:
            high *= 2
        radii.append(brentq(excess, 0.0, high))
    return torch.tensor(radii, dtype=torch.float64)


@torch.no_grad()
def main() -> None:
    """Print both rates, their ratio and how well the radii agree."""
    options = _options()
    torch.set_num_threads(options.threads)
    function = input_convex(options.dim, options.width, options.depth, seed=0)
    draw = torch.Generator().manual_seed(1)
    starts = torch.randn(2, options.dim, generator=draw, dtype=torch.float64)
    minimum = find_minimum(function, starts).require_attained()
    level = float(minimum.value) + options.rise
    normal = torch.randn(options.rays, options.dim, generator=draw, dtype=torch.float64)
    directions = F.normalize(normal, dim=-1)

    few = directions[: options.reference_rays]
    begin = time.perf_counter()
    reference = loop_with_brentq(function, minimum.point, few, level)
    middle = time.perf_counter()
    radii = find_radii(function, minimum.point, directions, level)
    end = time.perf_counter()

    theirs, ours = len(few) / (middle - begin), len(directions) / (end - middle)
    gap = (radii.radius[: len(few)] - reference).abs().max()
    print(
        f"{options.dim} dimensions, {options.depth} x {options.width}, {options.threads} threads"
    )
    print(f"scipy brentq, a loop: {theirs:10.1f} rays/s ({len(few)} rays)")
    print(f"find_radii, a batch:  {ours:10.1f} rays/s ({len(directions)} rays)")
    print(f"ratio: {ours / theirs:.1f}")
    print(
        f"reached: {int(radii.reached.sum())}, largest residual {radii.residual.abs().max():.1e}"
    )
    print(f"largest difference of radii: {gap:.1e}")
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rays", type=int, default=100_000)
    parser.add_argument("--reference-rays", type=int, default=300)
    parser.add_argument("--dim", type=int, default=22)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--rise", type=float, default=1.0, help="level above the minimum")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
