"""Dotted keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gicnn.record.keys import look_up

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
CHECKS = {"checks": [{"id": "full_rank", "holds": False}, {"id": "chord_gap", "value": -0.5}]}


@given(names=st.lists(NAMES, min_size=1, max_size=4), value=st.floats(allow_nan=False))
def test_dotted_key_reaches_what_was_nested_under_it(names, value):
    document = value
    for name in reversed(names):
        document = {name: document}

    assert look_up(document, ".".join(names)) == value


@given(names=st.lists(NAMES, min_size=2, max_size=4))
def test_dotted_key_finds_nothing_where_nothing_is_nested(names):
    assert look_up({names[0]: 1}, ".".join(names)) is None


def test_brackets_pick_by_id():
    assert look_up(CHECKS, "checks[chord_gap].value") == -0.5
    assert look_up(CHECKS, "checks[full_rank].holds") is False


def test_brackets_pick_by_position():
    assert look_up({"x": [[1, 2], [3, 4]]}, "x[1][0]") == 3


@pytest.mark.parametrize("key", ["checks[nothing].value", "checks[7]", "checks.value", "other[0]"])
def test_what_is_not_there_is_none(key):
    assert look_up(CHECKS, key) is None


def test_no_document_holds_nothing():
    assert look_up(None, "count") is None


@pytest.mark.parametrize(
    "key", ["", ".a", "a.", "a..b", "a[", "a[]", "[a]", "a]b", "a b", "a.[b]"]
)
def test_unreadable_key_is_named(key):
    with pytest.raises(ValueError, match="cannot read the key"):
        look_up(CHECKS, key)
