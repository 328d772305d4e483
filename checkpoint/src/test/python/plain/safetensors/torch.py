"""Reads and writes files of the format with PyTorch alone: a length, a JSON header, bytes."""
import json
import struct

import torch

DTYPES = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "BOOL": torch.bool,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def load_file(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: tensor(data, **entry) for name, entry in header.items()}


def tensor(data, dtype, shape, data_offsets):
    begin, end = data_offsets
    if begin == end:
        return torch.zeros(shape, dtype=DTYPES[dtype])
    return torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[dtype]).reshape(shape)


def save_file(tensors, path, metadata=None):
    header, blobs, at = {"__metadata__": metadata or {}}, [], 0
    for name, value in tensors.items():
        blob = value.reshape(-1).view(torch.uint8).numpy().tobytes()
        header[name] = {
            "dtype": NAMES[value.dtype],
            "shape": list(value.shape),
            "data_offsets": [at, at + len(blob)],
        }
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))
