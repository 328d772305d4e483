"""Records the steps of PyTorch's optimizers and schedulers, which the tests of org.gradwire.optim follow.

From the root of the project, with PyTorch 1.13.1:
  /usr/bin/python3 nn-remote/src/test/python/generate_optimizers.py nn-remote/src/test/resources

Writes optimizers.txt: for each case the parameters, then for each step the gradients that were given and the parameters
after it; lbfgs.txt: for each case the loss before and the
parameters after each step; and schedules.txt: for each case the learning rates, and momenta, of two groups in each epoch.
"""
import random
import sys
import warnings
import torch
from torch import optim
from torch.optim import lr_scheduler

warnings.simplefilter("ignore")
SHAPES = [(2, 3), (4,)]
STEPS = 6

OPTIMIZERS = {
    "SGD": (optim.SGD, dict(lr=0.1)),
    "SGD momentum": (optim.SGD, dict(lr=0.1, momentum=0.9)),
    "SGD dampening": (optim.SGD, dict(lr=0.1, momentum=0.8, dampening=0.3)),
    "SGD nesterov": (optim.SGD, dict(lr=0.05, momentum=0.9, nesterov=True)),
    "SGD weight decay": (optim.SGD, dict(lr=0.1, momentum=0.5, weight_decay=0.01)),
    "SGD maximize": (optim.SGD, dict(lr=0.1, momentum=0.5, weight_decay=0.01, maximize=True)),
    "Adam": (optim.Adam, dict()),
    "Adam options": (optim.Adam, dict(lr=0.02, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1)),
    "Adam amsgrad": (optim.Adam, dict(lr=0.05, betas=(0.9, 0.6), amsgrad=True)),
    "Adam maximize": (optim.Adam, dict(lr=0.05, weight_decay=0.1, maximize=True)),
    "AdamW": (optim.AdamW, dict()),
    "AdamW options": (optim.AdamW, dict(lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.2)),
    "AdamW amsgrad": (optim.AdamW, dict(lr=0.05, betas=(0.9, 0.6), amsgrad=True, maximize=True)),
    "Adagrad": (optim.Adagrad, dict()),
    "Adagrad options": (optim.Adagrad, dict(lr=0.1, lr_decay=0.2, weight_decay=0.1, initial_accumulator_value=0.3, eps=1e-6)),
    "Adagrad maximize": (optim.Adagrad, dict(lr=0.1, maximize=True)),
    "RMSprop": (optim.RMSprop, dict()),
    "RMSprop options": (optim.RMSprop, dict(lr=0.02, alpha=0.9, eps=1e-5, weight_decay=0.1)),
    "RMSprop momentum": (optim.RMSprop, dict(lr=0.02, momentum=0.8)),
    "Adadelta": (optim.Adadelta, dict()),
    "Adadelta options": (optim.Adadelta, dict(lr=0.5, rho=0.7, eps=1e-4, weight_decay=0.1, maximize=True)),
    "Adamax": (optim.Adamax, dict()),
    "Adamax options": (optim.Adamax, dict(lr=0.05, betas=(0.8, 0.9), eps=1e-5, weight_decay=0.1, maximize=True)),
    "Rprop": (optim.Rprop, dict()),
    "Rprop options": (optim.Rprop, dict(lr=0.05, etas=(0.3, 1.5), step_sizes=(0.02, 0.1), maximize=True)),
    "NAdam": (optim.NAdam, dict()),
    "NAdam options": (optim.NAdam, dict(lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1, momentum_decay=0.05)),
    "RAdam": (optim.RAdam, dict()),
    "RAdam options": (optim.RAdam, dict(lr=0.05, betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1)),
    "ASGD": (optim.ASGD, dict()),
    "ASGD options": (optim.ASGD, dict(lr=0.1, lambd=0.05, alpha=0.6, t0=2, weight_decay=0.1, maximize=True)),
    "RMSprop centered": (optim.RMSprop, dict(lr=0.02, alpha=0.7, centered=True, momentum=0.5, maximize=True)),
}

# With sparse gradients, of a table of 5 rows and of a vector.
SPARSE = {
    "SGD sparse": (optim.SGD, dict(lr=0.1)),
    "SGD sparse momentum": (optim.SGD, dict(lr=0.1, momentum=0.9)),
    "SGD sparse nesterov": (optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True)),
    "Adagrad sparse": (optim.Adagrad, dict(lr=0.1, lr_decay=0.1, initial_accumulator_value=0.1)),
    "Adagrad sparse maximize": (optim.Adagrad, dict(lr=0.1, maximize=True)),
    "SparseAdam": (optim.SparseAdam, dict(lr=0.1)),
    "SparseAdam options": (optim.SparseAdam, dict(lr=0.05, betas=(0.7, 0.9), eps=1e-4, maximize=True)),
}


def line(values):
    return " ".join(repr(v) for v in values.reshape(-1).tolist())


def name(dtype):
    return str(dtype).removeprefix("torch.")


def shape(tensor):
    return ",".join(map(str, tensor.shape))


def dense_gradient(parameter):
    return torch.randn(parameter.shape, dtype=parameter.dtype)


def sparse_gradient(parameter):
    count = random.randint(1, 4)
    rows = torch.tensor([[random.randrange(parameter.shape[0]) for _ in range(count)]])
    return torch.sparse_coo_tensor(rows, torch.randn(count, *parameter.shape[1:], dtype=parameter.dtype), parameter.shape)


def describe(gradient):
    if gradient is None:
        return "none"
    if gradient.is_sparse:
        rows = ",".join(map(str, gradient._indices()[0].tolist()))
        return f"sparse {rows} {line(gradient._values())}"
    return f"dense - {line(gradient)}"


def record(out, title, kind, options, shapes, dtype, gradient_of, groups=None):
    out.append(f"case {title} {name(dtype)}")
    parameters = [torch.randn(s, dtype=dtype).requires_grad_() for s in shapes]
    for parameter in parameters:
        out.append(f"param {shape(parameter)} {line(parameter.detach())}")
    grouped = parameters if groups is None else [dict(params=[p], **own) for p, own in zip(parameters, groups)]
    optimizer = kind(grouped, **options)
    for step in range(STEPS):
        for i, parameter in enumerate(parameters):
            # One parameter gets no gradient in one step.
            parameter.grad = None if (step, i) == (2, 1) else gradient_of(parameter)
            out.append(f"grad {describe(parameter.grad)}")
        optimizer.step()
        for parameter in parameters:
            out.append(f"after {line(parameter.detach())}")


LBFGS = {
    "LBFGS": dict(max_iter=5),
    "LBFGS options": dict(lr=0.3, max_iter=6, history_size=2, tolerance_change=1e-12),
    "LBFGS evaluations": dict(lr=0.2, max_iter=20, max_eval=4),
    "LBFGS strong Wolfe": dict(max_iter=4, line_search_fn="strong_wolfe"),
    "LBFGS strong Wolfe options": dict(lr=0.001, max_iter=7, history_size=3, line_search_fn="strong_wolfe"),
}


def lbfgs():
    """The valley of Rosenbrock and a bowl: losses and parameters after each step."""
    out = []
    for title, options in LBFGS.items():
        out.append(f"case {title}")
        x = torch.tensor([-1.2, 1.0, 0.5], dtype=torch.float64).requires_grad_()
        y = torch.tensor([[0.3, -0.7]], dtype=torch.float64).requires_grad_()
        optimizer = optim.LBFGS([x, y], **options)

        def closure():
            optimizer.zero_grad()
            valley = (10 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()
            loss = valley + (y * y * torch.tensor([1.0, 5.0], dtype=torch.float64)).sum() + (x[0] * y).sum()
            loss.backward()
            return loss

        for _ in range(5):
            out.append(f"loss {optimizer.step(closure).item()!r}")
            out.append(f"after {line(x.detach())} {line(y.detach())}")
    return out


def optimizers():
    torch.manual_seed(7)
    random.seed(7)
    out = []
    for dtype in (torch.float64, torch.float32):
        for title, (kind, options) in OPTIMIZERS.items():
            record(out, title, kind, options, SHAPES, dtype, dense_gradient)
        for title, (kind, options) in SPARSE.items():
            record(out, title, kind, options, [(5, 2), (6,)], dtype, sparse_gradient)
    record(out, "SGD groups", optim.SGD, dict(lr=0.1, momentum=0.9), SHAPES, torch.float64, dense_gradient,
           [dict(), dict(lr=0.01, weight_decay=0.5)])
    return out


SCHEDULES = {
    "StepLR": lambda o: lr_scheduler.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda o: lr_scheduler.MultiStepLR(o, [2, 5, 5, 9], 0.3),
    "ConstantLR": lambda o: lr_scheduler.ConstantLR(o, 0.25, 4),
    "LinearLR": lambda o: lr_scheduler.LinearLR(o, 0.1, 0.8, 6),
    "ExponentialLR": lambda o: lr_scheduler.ExponentialLR(o, 0.8),
    "PolynomialLR": lambda o: lr_scheduler.PolynomialLR(o, 7, 2.0),
    "CosineAnnealingLR": lambda o: lr_scheduler.CosineAnnealingLR(o, 5, 0.01),
    "CosineAnnealingWarmRestarts": lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 3, 2, 0.01),
    "LambdaLR": lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "LambdaLR groups": lambda o: lr_scheduler.LambdaLR(o, [lambda epoch: 1 / (1 + epoch), lambda epoch: 0.9 ** epoch]),
    "MultiplicativeLR": lambda o: lr_scheduler.MultiplicativeLR(o, lambda epoch: 1 - 0.01 * epoch),
    "SequentialLR": lambda o: lr_scheduler.SequentialLR(
        o, [lr_scheduler.LinearLR(o, 0.1, 1.0, 4), lr_scheduler.CosineAnnealingLR(o, 8), lr_scheduler.ExponentialLR(o, 0.5)], [4, 12]),
    "ChainedScheduler": lambda o: lr_scheduler.ChainedScheduler(
        [lr_scheduler.ConstantLR(o, 0.1, 2), lr_scheduler.ExponentialLR(o, 0.9)]),
    "OneCycleLR": lambda o: lr_scheduler.OneCycleLR(o, 0.5, total_steps=16),
    "OneCycleLR linear": lambda o: lr_scheduler.OneCycleLR(
        o, 0.5, total_steps=16, pct_start=0.4, anneal_strategy="linear", base_momentum=0.7, max_momentum=0.9, div_factor=10.0,
        final_div_factor=100.0),
    "OneCycleLR three phases": lambda o: lr_scheduler.OneCycleLR(
        o, 0.5, total_steps=16, pct_start=0.25, three_phase=True, cycle_momentum=False),
}

METRICS = [3.0, 2.0, 1.9999, 2.1, 2.2, 1.5, 1.6, float("nan"), 1.5, 1.5, 1.4, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3]
PLATEAUS = {
    "ReduceLROnPlateau": dict(patience=2, factor=0.5),
    "ReduceLROnPlateau max": dict(mode="max", patience=1, threshold=0.2, threshold_mode="abs"),
    "ReduceLROnPlateau cooldown": dict(patience=0, factor=0.1, cooldown=2, min_lr=0.002, threshold=0.1),
    "ReduceLROnPlateau max rel": dict(mode="max", patience=3, factor=0.2, min_lr=0.03),
}


def schedules():
    out = []

    def make():
        parameters = [torch.zeros(1).requires_grad_() for _ in range(2)]
        return optim.SGD([dict(params=[parameters[0]]), dict(params=[parameters[1]], lr=0.02)], lr=0.1, momentum=0.9)

    def rates(optimizer):
        out.append("rates " + " ".join(repr(float(group[key])) for key in ("lr", "momentum") for group in optimizer.param_groups))

    for title, maker in SCHEDULES.items():
        out.append(f"case {title}")
        optimizer = make()
        scheduler = maker(optimizer)
        rates(optimizer)
        for _ in range(15):
            optimizer.step()
            scheduler.step()
            rates(optimizer)
    for title, options in PLATEAUS.items():
        out.append(f"case {title}")
        optimizer = make()
        scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, **options)
        for metric in METRICS:
            out.append(f"metric {metric!r}")
            scheduler.step(metric)
            rates(optimizer)
    return out


if __name__ == "__main__":
    folder = sys.argv[1]
    for file, lines in (("optimizers.txt", optimizers()), ("lbfgs.txt", lbfgs()), ("schedules.txt", schedules())):
        with open(f"{folder}/{file}", "w") as target:
            target.write("\n".join(lines) + "\n")
