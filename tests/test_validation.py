"""Messages of the config check name the key and what to do."""

import pytest

from gicnn.validation import InvalidContentError, check_sections

SCHEMAS = {
    "seeds": {"type": "array"},
    "fit": {
        "type": "object",
        "additionalProperties": False,
        "required": ["epochs"],
        "properties": {
            "epochs": {"type": "integer"},
            "rate": {"type": "number"},
            "bounds": {"type": "array", "rising": True},
            "ends": {"type": "object", "differing": ["first", "last"]},
            "net": {
                "oneOf": [
                    {"type": "null"},
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["kind", "width"],
                        "properties": {"kind": {"const": "wide"}, "width": {"type": "integer"}},
                    },
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["kind"],
                        "properties": {"kind": {"const": "deep"}},
                    },
                ]
            },
        },
    },
}
GOOD = {"seeds": [0], "fit": {"epochs": 3, "rate": 0.1, "net": {"kind": "wide", "width": 3}}}


def test_good_content_passes():
    check_sections(GOOD, SCHEMAS)
    fit = {"bounds": [1, 1.5, 3], "ends": {"first": 2, "last": 1}}
    check_sections(GOOD | {"fit": GOOD["fit"] | fit}, SCHEMAS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"seeds": [0]}, "section 'fit' is missing"),
        (GOOD | {"seed": 1}, "unknown key 'seed'; did you mean 'seeds'"),
        (GOOD | {"fit": {"epochs": 3, "rat": 1}}, "fit: unknown key 'rat'; did you mean 'rate'"),
        (
            GOOD | {"fit": {"epochs": "3"}},
            "fit.epochs: '3' is not of type 'integer'; write a whole number without quotes, such as 3",
        ),
        (GOOD | {"fit": {"epochs": "1e3"}}, "whole number without quotes, such as 1000"),
        (
            GOOD | {"fit": {"epochs": 3, "rate": "1e-3"}},
            "powers of ten with a dot, such as 1.0e-03",
        ),
        (GOOD | {"fit": {}}, "'epochs' is a required property"),
        (
            GOOD | {"fit": {"epochs": 3, "net": {"kind": "wid"}}},
            "fit.net.kind: unknown kind 'wid'",
        ),
        (
            GOOD | {"fit": {"epochs": 3, "net": {"kind": "wide", "widht": 1}}},
            "did you mean 'width'",
        ),
        (
            GOOD | {"fit": {"epochs": 3, "bounds": [1, 3, 3.0]}},
            "fit.bounds: must rise, yet 3.0 follows 3",
        ),
        (
            GOOD | {"fit": {"epochs": 3, "ends": {"first": 2, "last": 2}}},
            "fit.ends: first and last must differ, but are [2, 2]",
        ),
    ],
)
def test_bad_content_is_named(content, message):
    with pytest.raises(InvalidContentError) as error:
        check_sections(content, SCHEMAS)
    assert message in str(error.value)
