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


def input_convex(
    dim: int, width: int, depth: int, seed: int, dtype: torch.dtype = torch.float64
) -> ScalarFunction:
    """Make an untrained input-convex network with softplus layers (section 3.4).

    The weights are drawn in float64, so that networks of one seed differ by rounding alone.
    """
    draw = torch.Generator().manual_seed(seed)
    options = {"generator": draw, "dtype": torch.float64}
    skips = [torch.randn(dim, width, **options).to(dtype) for _ in range(depth)]
    biases = [torch.randn(width, **options).to(dtype) for _ in range(depth)]
    convex = [torch.rand(width, width, **options) * (2 / width) for _ in range(depth - 1)]
    convex = [weight.to(dtype) for weight in convex]
    last = torch.rand(width, **options).to(dtype) * (2 / width)

    def function(x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch"]:
        flat = x.reshape(-1, dim)
        hidden = F.softplus(torch.addmm(biases[0], flat, skips[0]))
        for weight, skip, bias in zip(convex, skips[1:], biases[1:], strict=True):
            hidden = F.softplus(torch.addmm(torch.addmm(bias, flat, skip), hidden, weight))
        return (hidden @ last).view(x.shape[:-1])

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
    """Print the rates, their ratios and how well the radii agree."""
    options = _options()
    torch.set_num_threads(options.threads)
    shape = options.dim, options.width, options.depth
    function, narrow = input_convex(*shape, 0), input_convex(*shape, 0, torch.float32)
    draw = torch.Generator().manual_seed(1)
    starts = torch.randn(2, options.dim, generator=draw, dtype=torch.float64)
    minimum = find_minimum(function, starts).require_attained()
    level = float(minimum.value) + options.rise
    normal = torch.randn(options.rays, options.dim, generator=draw, dtype=torch.float64)
    directions = F.normalize(normal, dim=-1)

    few = directions[: options.reference_rays]
    begin = time.perf_counter()
    reference = loop_with_brentq(function, minimum.point, few, level)
    theirs = len(few) / (time.perf_counter() - begin)
    print(
        f"{options.dim} dimensions, {options.depth} x {options.width}, {options.threads} threads"
    )
    print(f"scipy brentq, a loop: {theirs:.1f} rays/s ({len(few)} rays)")

    drafts = {"a batch": None, "with a float32 draft": lambda z: narrow(z.float())}
    for name, draft in drafts.items():
        begin = time.perf_counter()
        radii = find_radii(function, minimum.point, directions, level, draft=draft)
        ours = len(directions) / (time.perf_counter() - begin)
        worst = radii.residual.abs().max() / (1e-10 * max(1, abs(level)))
        gap = (radii.radius[: len(few)] - reference).abs().max()
        print(f"find_radii, {name}: {ours:.1f} rays/s ({len(directions)} rays)")
        print(f"  ratio: {ours / theirs:.1f}")
        print(f"  reached: {int(radii.reached.sum())}")
        print(f"  largest residual, of 1e-10 max(1, |level|): {worst:.3f}")
        print(f"  largest difference of radii: {gap:.1e}")
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
