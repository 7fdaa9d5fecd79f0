"""A training that was stopped ends like one that was not."""

import math
import os
import signal

import pytest
import torch

from gicnn.models.build import build_model
from gicnn.tensors import load_tensors, save_tensors
from gicnn.training import steps
from gicnn.training.checkpoints import fingerprint
from gicnn.training.fit import fit
from gicnn.training.steps import NonFiniteLossError, Training
from gicnn.types import Split

DENSE = {"kind": "dense", "hidden_features": [16], "activation": "elu", "dropout": 0.2}
SETTINGS = {
    "latent_features": 2,
    "encoder": DENSE,
    "decoder": DENSE,
    "likelihood": {"kind": "gaussian", "floor": 0.01},
    "property_decoder": {"kind": "input_convex", "hidden_features": [8, 8], "curvature": 0.0},
    "monotone": None,
    "property_units": None,
}
PLAN = {
    "epochs": 4,
    "batch_size": 16,
    "optimiser": "adam",
    "learning_rate": {"shape": "cosine", "start": 1e-2, "end": 1e-4, "power": 1.0},
    "beta": {"start": 0.1, "factor": 0.9, "every": 3, "unit": "batch"},
    "property_weight": 2.0,
    "cycle": {
        "weight": 0.1,
        "on": "property",
        "through": "mean",
        "observed": 0.5,
        "sampled": 0.25,
    },
    "gradient_norm": None,
    "averaging": 0.9,
    "precision": "float32",
}


@pytest.fixture
def data():
    x = torch.randn(70, 3)
    y = x.square().sum(-1)
    return [
        Split(x[rows], y[rows], torch.arange(len(y))[rows]) for rows in (slice(50), slice(50, 70))
    ]


def make(data):
    torch.manual_seed(3)
    return build_model(SETTINGS, (3,), {"offset": 3.0, "scale": 2.0})


def weights(model):
    return torch.cat([value.flatten() for value in model.state_dict().values()])


def run(data, path, seed=5, **changes):
    plan = PLAN | changes
    fitted = fit(make(data), *data, seed=seed, checkpoint=path, fingerprint="a", title="a", **plan)
    return fitted.model, fitted.history


@pytest.mark.parametrize("optimiser", ["adam", "adamax"])
@pytest.mark.parametrize("stop", [1, 4, 7])
def test_resumed_training_ends_with_the_same_weights_bit_for_bit(data, tmp_path, stop, optimiser):
    plan = PLAN | {"optimiser": optimiser}
    whole, history = run(data, tmp_path / "none", optimiser=optimiser)

    stopped = Training(make(data), data[0], seed=5, **plan)
    for _ in range(stop):
        stopped.advance()
        if stopped.ends_epoch:
            stopped.close_epoch(data[1])
    stopped.save(tmp_path / "checkpoint", "a")
    torch.manual_seed(99)  # another process has drawn other numbers
    resumed, resumed_history = run(data, tmp_path / "checkpoint", optimiser=optimiser)

    assert torch.equal(weights(whole), weights(resumed))
    assert resumed_history == history


def test_a_restart_from_scratch_with_another_seed_ends_elsewhere(data, tmp_path):
    one, _ = run(data, tmp_path / "none")
    other, _ = run(data, tmp_path / "none", seed=6)
    assert not torch.equal(weights(one), weights(other))


@pytest.mark.parametrize("harm", ["other settings", "cut short"])
def test_checkpoint_of_something_else_is_not_used(data, tmp_path, harm, caplog):
    path = tmp_path / "checkpoint"
    training = Training(make(data), data[0], seed=5, **PLAN)
    training.advance()
    training.save(path, "a" if harm == "cut short" else "b")
    if harm == "cut short":
        path.write_bytes(path.read_bytes()[:-100])
    with caplog.at_level("INFO"):
        resumed, _ = run(data, path)
    whole, _ = run(data, tmp_path / "none")

    assert torch.equal(weights(whole), weights(resumed))
    assert "afresh" in caplog.text or "ignored" in caplog.text


@pytest.mark.parametrize("part", ["module.model.encoder", "optimiser.0"])
def test_checkpoint_that_lacks_a_part_is_not_used(data, tmp_path, part, caplog):
    path = tmp_path / "checkpoint"
    training = Training(make(data), data[0], seed=5, **PLAN)
    training.advance()
    training.save(path, "a")
    tensors, note = load_tensors(path)
    kept = {name: value for name, value in tensors.items() if not name.startswith(f"{part}.")}
    assert len(kept) < len(tensors)
    save_tensors(path, kept, note)

    resumed, _ = run(data, path)
    whole, _ = run(data, tmp_path / "none")
    assert torch.equal(weights(whole), weights(resumed))
    assert "lacks a part" in caplog.text


def test_resumed_history_has_its_columns_in_the_same_order(data, tmp_path):
    path = tmp_path / "checkpoint"
    _, history = run(data, tmp_path / "none")
    training = Training(make(data), data[0], seed=5, **PLAN)
    for _ in range(5):
        training.advance()
        if training.ends_epoch:
            training.close_epoch(data[1])
    training.save(path, "a")
    _, resumed = run(data, path)
    assert [list(row) for row in resumed] == [list(row) for row in history]


def test_loss_that_is_not_finite_names_epoch_term_and_settings(data, tmp_path):
    data[0].y[:] = float("inf")
    with pytest.raises(
        NonFiniteLossError, match=r"epoch 1, step 1: loss, property.*batch_size 16"
    ):
        run(data, tmp_path / "checkpoint")


def test_good_checkpoint_outlives_a_loss_that_is_not_finite(data, tmp_path):
    path = tmp_path / "checkpoint"
    training = Training(make(data), data[0], seed=5, **PLAN)
    training.advance()
    training.save(path, "a")
    before = path.read_bytes()
    with torch.no_grad():
        training.model.property_scale.theta.fill_(float("nan"))
    training.save(path, "a")
    with pytest.raises(NonFiniteLossError):
        training.advance()

    assert path.read_bytes() == before


def test_no_gradient_is_longer_than_allowed(data):
    training = Training(make(data), data[0], seed=5, **PLAN | {"gradient_norm": 0.01})
    free = Training(make(data), data[0], seed=5, **PLAN)
    for one in (training, free):
        one.advance()
    lengths = [
        torch.cat([p.grad.flatten() for p in one.model.parameters() if p.grad is not None]).norm()
        for one in (training, free)
    ]

    assert lengths[0].item() == pytest.approx(0.01, rel=1e-4)
    assert lengths[1] > 0.1


def test_training_lowers_the_loss_and_the_error(data, tmp_path):
    _, history = run(data, tmp_path / "none", epochs=60)
    assert history[-1]["loss"] < history[0]["loss"]
    for error in ("property_mae", "reconstruction_mse"):
        assert history[-1][f"validation_{error}"] < history[0][f"validation_{error}"]


def test_history_has_the_errors_of_the_model_that_is_kept(data, tmp_path):
    model, history = run(data, tmp_path / "none", averaging=0.9)
    validation = data[1]
    with torch.no_grad():
        z = model.encode(validation.x)
        error = (model.predict(z) - validation.y).abs().mean()
        drift = (model.cycle(z) - model.predict(z)).abs().mean()

    assert history[-1]["validation_property_mae"] == pytest.approx(error.item())
    assert history[-1]["validation_invariance_mae"] == pytest.approx(drift.item())


def test_average_lags_behind_the_weights(data):
    training = Training(make(data), data[0], seed=5, **PLAN)
    start = weights(training.model)
    for _ in range(3):
        training.advance()
    moved, lagged = weights(training.model) - start, weights(training.average) - start

    assert 0 < lagged.norm() < moved.norm()


def test_every_example_is_seen_once_an_epoch(data):
    training = Training(make(data), data[0], seed=5, **PLAN)
    seen = torch.cat(
        [training._batch(0, position) for position in range(training.steps_per_epoch)]
    )
    assert seen.sort().values.tolist() == list(range(50))


def test_fingerprint_depends_on_every_fact():
    facts = {"seed": 1, "settings": {"a": 1}, "code": "x"}
    kept = fingerprint(facts, data="d")
    assert fingerprint(dict(reversed(facts.items())), data="d") == kept
    assert fingerprint(facts, data="other") != kept
    for key in facts:
        assert fingerprint(facts | {key: "else"}, data="d") != kept


def test_seconds_of_all_stretches_add_up(data, tmp_path):
    path = tmp_path / "checkpoint"
    training = Training(make(data), data[0], seed=5, **PLAN)
    training.started -= 1000
    training.advance()
    training.save(path, "a")
    again = Training(make(data), data[0], seed=5, **PLAN)
    again.restore(path, "a")
    assert 1000 < again.seconds < 1100


def test_a_last_batch_of_one_example_is_fine(data, tmp_path):
    _, history = run(data, tmp_path / "none", batch_size=49)
    assert all(math.isfinite(row["loss"]) for row in history)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_training_told_to_stop_loses_no_step(data, tmp_path, monkeypatch, number):
    whole, history = run(data, tmp_path / "none")
    path = tmp_path / "checkpoint"
    advance = Training.advance

    def advance_and_be_told(self):
        if self.progress.step == 6:
            os.kill(os.getpid(), number)
        advance(self)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(Training, "advance", advance_and_be_told)
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        run(data, path)
    monkeypatch.setattr(Training, "advance", advance)
    signal.signal(signal.SIGINT, before)

    assert load_tensors(path)[1]["step"] == 7
    resumed, resumed_history = run(data, path)
    assert torch.equal(weights(whole), weights(resumed))
    assert resumed_history == history


@pytest.mark.parametrize("place", ["_add", "_move_average"])
def test_a_gpu_that_runs_short_in_the_middle_of_a_step_changes_nothing(
    data, tmp_path, monkeypatch, place
):
    """What is trained on a GPU goes on elsewhere from its last checkpoint, to the same end."""
    whole, history = run(data, tmp_path / "none")
    path = tmp_path / "checkpoint"
    undisturbed = getattr(Training, place)

    def run_short(self, *arguments):
        if self.progress.step == 6:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return undisturbed(self, *arguments)

    monkeypatch.setattr("gicnn.training.fit._SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    monkeypatch.setattr(Training, place, run_short)
    with pytest.raises(torch.OutOfMemoryError):
        run(data, path)
    monkeypatch.setattr(Training, place, undisturbed)

    monkeypatch.setattr(steps, "describe_device", lambda device: "another machine")
    fitted = fit(make(data), *data, seed=5, checkpoint=path, fingerprint="a", title="a", **PLAN)
    assert torch.equal(weights(whole), weights(fitted.model))
    assert fitted.history == history
    assert [name.split(",")[0] for name in fitted.devices] == ["CPU", "another machine"]
