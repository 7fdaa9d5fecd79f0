"""Level sets of any (quasi-)convex function: minimum, angles, radii, paths."""

from gicnn.levelset.crossings import count_crossings
from gicnn.levelset.functions import ScalarFunction
from gicnn.levelset.hyperspherical import (
    Spherical,
    angle_count,
    to_cartesian,
    to_directions,
    to_spherical,
)
from gicnn.levelset.level_set import LevelSet
from gicnn.levelset.minimum import Minimum, find_minimum
from gicnn.levelset.paths import interpolate_angles, interpolate_great_circle
from gicnn.levelset.points import LevelSetPoints, RayDistance
from gicnn.levelset.radius import Radii, find_radii
from gicnn.levelset.regions import Ball, Box, Region

__all__ = [
    "Ball",
    "Box",
    "LevelSet",
    "LevelSetPoints",
    "Minimum",
    "Radii",
    "RayDistance",
    "Region",
    "ScalarFunction",
    "Spherical",
    "angle_count",
    "count_crossings",
    "find_minimum",
    "find_radii",
    "interpolate_angles",
    "interpolate_great_circle",
    "to_cartesian",
    "to_directions",
    "to_spherical",
]
