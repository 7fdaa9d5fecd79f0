"""What every test starts from: fixed seeds and one thread."""

import random

import numpy as np
import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def _seeds():
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)
