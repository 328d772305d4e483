"""Writes python.safetensors and unsupported.safetensors with the format's own Python library.

From the root of the project, in an environment with torch and safetensors (made with 0.8.0):
  python autograd/src/test/python/generate_safetensors.py autograd/src/test/resources
"""
import sys
import torch
from safetensors.torch import save_file

halves = torch.tensor([0.0, -0.0, 1.0, -2.5, 65504.0, 6e-8, float("inf"), float("-inf")])
save_file(
    {
        "0.weight": torch.arange(6, dtype=torch.float32).reshape(2, 3) / 4,
        "0.bias": torch.tensor([-1.5, 3e38], dtype=torch.float32),
        "scalar": torch.tensor(0.1, dtype=torch.float64),
        "count": torch.tensor([[-1, 2 ** 62]], dtype=torch.int64),
        "nothing": torch.zeros(0, 3),
        "half": halves.to(torch.float16),
        "brain": halves.to(torch.bfloat16),
        "nam\u00e9 \"\\\n\U0001f600": torch.tensor([7.0]),
    },
    sys.argv[1] + "/python.safetensors",
    metadata={"format": "pt", "quote": "\"\\\t\u20ac"},
)
save_file({"good": torch.ones(2), "bytes": torch.ones(3, dtype=torch.uint8)}, sys.argv[1] + "/unsupported.safetensors")
