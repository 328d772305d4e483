"""The other side of PythonTest. Runs in the directory of the test.

  exchange.py read FILE   runs the Python of FILE, which assembles a checkpoint, and prints JSON
  exchange.py write       writes tensors of all types, and prints their values
"""
import hashlib
import json
import sys

import torch
from safetensors.torch import save_file


def describe(tensor):
    # NumPy has no bfloat16: the bytes are those of integers of the same size.
    whole = tensor.contiguous().reshape(-1).view(torch.uint8) if tensor.numel() else torch.zeros(0)
    return {
        "dtype": str(tensor.dtype).replace("torch.", ""),
        "shape": list(tensor.shape),
        "sha256": hashlib.sha256(whole.numpy().tobytes()).hexdigest(),
    }


def read(program):
    model = torch.nn.Linear(4, 3).double()
    scope = {"model": model}
    exec(program, scope)
    print(json.dumps({name: describe(each) for name, each in scope["tensors"].items()}))
    print(json.dumps(model(torch.arange(4.0).double()).tolist()))


def write():
    torch.manual_seed(1)
    halves = torch.tensor([0.0, -0.0, 1.0, -2.5, 65504.0, float("inf")])
    tensors = {
        "net.flags": torch.tensor([True, False, True]),
        "net.weight": torch.randn(2, 3),
        "net.count": torch.tensor(-(2**62)),
        "net.half": halves.to(torch.float16),
        "net.brain": halves.to(torch.bfloat16),
        "net.double": torch.randn(1, 5, dtype=torch.float64),
        "net.int": torch.arange(-3, 4, dtype=torch.int32).reshape(7, 1),
        "net.nothing": torch.zeros(0, 3),
    }
    save_file(tensors, "python.safetensors", metadata={"format": "pt", "by": "a test"})
    print(json.dumps({name: describe(each) for name, each in tensors.items()}))


read(open(sys.argv[2]).read()) if sys.argv[1] == "read" else write()
