"""Calls whose results PyTorch does not define, or that make it read or write out of bounds; the generator leaves them out."""
import torch

LARGEST_SQUARED = 1e15  # whose square float32 holds


def windows_beyond(size, kernel, stride, padding, dilation, ceil):
    """Whether a window of a pooling meets no pixel along a dimension."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (room + (stride - 1 if ceil else 0)) // stride + 1
    if ceil and (count - 1) * stride >= size + padding: count -= 1
    for i in range(count):
        first = i * stride - padding
        if all(not 0 <= first + k * dilation < size for k in range(kernel)): return True
    return False


def is_undefined(operator, args, target):
    """Whether a call is one of these, on tensors; the target is that of a change in place."""
    source = args[0] if args else None
    if not isinstance(source, torch.Tensor): return False
    if operator == "aten::to.dtype": return overflows(source, args[1])
    if operator == "copy_": return overflows(source, target.dtype)
    if operator == "aten::index_select": return source.dim() == 0 and args[2].numel() != 1  # reads beyond the element
    if operator.startswith("aten::max_pool2d") and source.dim() >= 3: return any_window_beyond(source, *args[1:])  # backward writes beyond the image
    if operator in ("aten::group_norm", "aten::layer_norm") and source.numel():  # in float32 squares overflow
        return source.is_floating_point() and bool((source.abs() > LARGEST_SQUARED).any())
    return False


def any_window_beyond(source, kernel, stride, padding, dilation, ceil):
    stride = stride or kernel
    try:
        return any(windows_beyond(source.shape[d], kernel[d], stride[d], padding[d], dilation[d], ceil) for d in (-2, -1))
    except (IndexError, ZeroDivisionError):
        return False


def overflows(source, dtype):
    """Whether fractions become integers that cannot hold them."""
    if not source.is_floating_point() or dtype not in (torch.int32, torch.int64): return False
    return not bool((source.abs() < 2.0 ** (31 if dtype == torch.int32 else 63)).all())
