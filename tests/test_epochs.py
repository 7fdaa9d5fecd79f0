"""Round epochs."""

import pandas as pd
import pytest

from gicnn.epochs import at_round_epochs


@pytest.mark.parametrize(
    ("count", "kept"), [(1, [1]), (7, [1, 2, 5, 7]), (60, [1, 2, 5, 10, 20, 50, 60])]
)
def test_round_epochs_and_the_last_are_kept(count, kept):
    assert at_round_epochs(pd.DataFrame({"epoch": range(1, count + 1)}))["epoch"].tolist() == kept


def test_each_model_has_a_last_epoch_of_its_own():
    lengths = {"long": 12, "short": 3}
    table = pd.concat(
        pd.DataFrame({"model": name, "epoch": range(1, n + 1)}) for name, n in lengths.items()
    )
    kept = at_round_epochs(table.reset_index(drop=True))
    epochs = kept.groupby("model")["epoch"].apply(list).to_dict()
    assert epochs == {"long": [1, 2, 5, 10, 12], "short": [1, 2, 3]}
