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
    ],
)
def test_bad_content_is_named(content, message):
    with pytest.raises(InvalidContentError) as error:
        check_sections(content, SCHEMAS)
    assert message in str(error.value)
