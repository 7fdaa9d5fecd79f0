"""Many molecules are encoded as each of them would be, however many processes share the work."""

import logging
import subprocess

import pytest

from gicnn.data import encoding
from gicnn.data.chemistry import parse_smiles
from gicnn.data.encoding import encode_all
from gicnn.data.graphs import GraphCode

SMILES = ["CCO", "C(C", "c1ccoc1", "C[NH3+]", "OC1=CC=CC=CC1=O", "CS", "C#N"]


@pytest.fixture
def code():
    return GraphCode(["C", "N", "O", "F"], max_atoms=9, ordering="inchi")


@pytest.mark.parametrize("workers", [1, 2, 3, 50])
def test_rows_are_the_molecules_in_their_order(code, workers):
    graphs, known, reasons = encode_all(code, SMILES, workers)

    assert known == ["CCO", "C(C", "c1ccoc1", "C[NH3+]", "O=c1cccccc1O", "CS", "C#N"]
    assert [bool(reason) for reason in reasons] == [False, True, False, True, False, True, False]
    for graph, smiles, reason in zip(graphs, SMILES, reasons, strict=True):
        expected = 0 if reason else code.encode(parse_smiles(smiles))
        assert (graph == expected).all()


def test_nothing_gives_nothing(code):
    assert encode_all(code, [], workers=2)[0].shape == (0, 189)


def test_what_is_left_out_is_counted_by_reason(code, caplog):
    with caplog.at_level(logging.WARNING):
        encode_all(code, ["CS", "CC", "CCS", "C[NH3+]"])

    assert "left out 2 of 4 molecules: has the element S" in caplog.messages
    assert "left out 1 of 4 molecules: has a charged atom" in caplog.messages


def test_a_process_that_fails_is_an_error(code, monkeypatch):
    monkeypatch.setattr(encoding.sys, "executable", "false")
    with pytest.raises(subprocess.CalledProcessError):
        encode_all(code, SMILES, workers=2)
