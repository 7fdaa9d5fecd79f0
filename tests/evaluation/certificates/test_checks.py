"""A check holds only for a finite value on the right side of its bound."""

import json
import math

import pytest

from gicnn.evaluation.certificates.checks import Check


def check(value, relation, bound=1.0):
    return Check("size", "how large", value, relation, bound, "an example")


@pytest.mark.parametrize(
    ("relation", "passing", "failing"),
    [(">", 2.0, 1.0), (">=", 1.0, 0.5), ("<=", 1.0, 2.0), ("==", 1.0, 2.0)],
)
def test_relation_is_kept_or_broken(relation, passing, failing):
    assert check(passing, relation).holds
    assert not check(failing, relation).holds


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("relation", [">", ">=", "<=", "=="])
def test_what_is_not_finite_fails_and_is_written_on_the_failing_side(relation, value):
    record = check(value, relation).record()

    assert record["holds"] is False
    assert not check(record["value"], relation).holds
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_finite_value_is_written_as_it_is():
    record = check(0.1, "<=").record()
    assert record == {
        "id": "size",
        "statement": "how large",
        "value": 0.1,
        "relation": "<=",
        "bound": 1.0,
        "reason": "an example",
        "holds": True,
    }
