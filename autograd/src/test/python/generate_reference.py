"""Records what PyTorch computes for the samples of every row of the operator table.

Two steps, from the root of the project:
  mvn -pl autograd -am test -Dtest=ReferenceTest#writesSamplesWhenAsked -Dsurefire.failIfNoSpecifiedTests=false \
      -Dtest.jvm.args="@$PWD/jvm.args -Dgradwire.reference.samples=/tmp/samples.txt"
  /usr/bin/python3 autograd/src/test/python/generate_reference.py /tmp/samples.txt > autograd/src/test/resources/reference.txt
Made with PyTorch 1.13.1. For each case it repeats the arguments, then writes the results and the gradients of all
tensors of a floating-point type, for the loss that RowCases.mixed computes.

With a type as the second argument it computes the cases of the first one's file in that type, without repeating the arguments,
for a loss of weights that the type holds; cases that PyTorch has no kernel for are left out:
  /usr/bin/python3 autograd/src/test/python/generate_reference.py autograd/src/test/resources/reference.txt bfloat16 \
      > autograd/src/test/resources/reference_bfloat16.txt
"""
import sys
import torch
import torch.nn.functional as F


def every(tensor, dims):
    return dims or list(range(tensor.dim()))


OPERATORS = {
    "aten::add.Tensor": torch.add, "aten::add.Scalar": torch.add, "aten::sub.Tensor": torch.sub, "aten::sub.Scalar": torch.sub,
    "aten::mul.Tensor": torch.mul, "aten::mul.Scalar": torch.mul, "aten::div.Tensor": torch.div, "aten::div.Scalar": torch.div,
    "aten::neg": torch.neg, "aten::pow.Tensor_Scalar": torch.pow, "aten::exp": torch.exp, "aten::log": torch.log,
    "aten::cos": torch.cos, "aten::sin": torch.sin, "aten::sqrt": torch.sqrt, "aten::relu": torch.relu, "aten::tanh": torch.tanh,
    "aten::sigmoid": torch.sigmoid, "aten::sum": torch.sum, "aten::sum.dim_IntList": lambda x, d, k: torch.sum(x, d, k) if d else torch.sum(x),
    "aten::mean": torch.mean, "aten::mean.dim": lambda x, d, k: torch.mean(x, d, k) if d else torch.mean(x),
    "aten::softmax.int": torch.softmax, "aten::log_softmax.int": torch.log_softmax, "aten::nll_loss": F.nll_loss,
    "aten::cross_entropy_loss": F.cross_entropy, "aten::matmul": torch.matmul, "aten::mm": torch.mm, "aten::bmm": torch.bmm,
    "aten::mv": torch.mv, "aten::dot": torch.dot, "aten::transpose.int": torch.transpose, "aten::t": torch.t,
    "aten::view": lambda x, s: x.view(s), "aten::reshape": torch.reshape, "aten::unsqueeze": torch.unsqueeze, "aten::squeeze.dim": torch.squeeze,
    "aten::expand": lambda x, s: x.expand(s), "aten::narrow": torch.narrow, "aten::select.int": torch.select, "aten::split.Tensor": torch.split,
    "aten::clone": torch.clone, "aten::to.dtype": lambda x, t: x.to(t), "aten::to.device": lambda x, d: x.to(d), "aten::detach": torch.detach, "aten::stack": torch.stack, "aten::cat": torch.cat,
    "aten::permute": lambda x, d: x.permute(d), "aten::movedim.intlist": torch.movedim, "aten::slice.Tensor": torch.ops.aten.slice,
    "aten::squeeze": torch.squeeze, "aten::flatten.using_ints": torch.flatten, "aten::unflatten.int": lambda x, d, s: x.unflatten(d, s),
    "aten::split_with_sizes": torch.split, "aten::chunk": torch.chunk, "aten::unbind.int": torch.unbind, "aten::diagonal": torch.diagonal,
    "aten::expand_as": lambda x, y: x.expand_as(y), "aten::view_as": lambda x, y: x.view_as(y), "aten::broadcast_to": torch.broadcast_to,
    "aten::broadcast_tensors": lambda ts: torch.broadcast_tensors(*ts), "aten::repeat": lambda x, r: x.repeat(r), "aten::flip": torch.flip,
    "aten::roll": torch.roll, "aten::tril": torch.tril, "aten::triu": torch.triu, "aten::index_select": torch.index_select,
    "aten::gather": torch.gather, "aten::scatter.src": torch.scatter, "aten::scatter.value": torch.scatter, "aten::scatter_add": torch.scatter_add,
    "aten::index_add": lambda x, d, i, y, a: torch.index_add(x, d, i, y, alpha=a),
    "aten::linear": F.linear, "aten::linalg_multi_dot": torch.linalg.multi_dot,
    "aten::embedding_bag": lambda w, i, o, m, p: F.embedding_bag(i, w, o, mode=m, per_sample_weights=p),
    "aten::isnan": torch.isnan, "aten::isinf": torch.isinf, "aten::isfinite": torch.isfinite, "aten::logical_and": torch.logical_and,
    "aten::logical_or": torch.logical_or, "aten::logical_xor": torch.logical_xor, "aten::logical_not": torch.logical_not,
    "aten::all": torch.all, "aten::all.dim": torch.all, "aten::any": torch.any, "aten::any.dim": torch.any,
    "aten::where.self": torch.where, "aten::where.ScalarOther": torch.where, "aten::where.ScalarSelf": torch.where, "aten::where.Scalar": torch.where,
    "aten::masked_fill.Scalar": torch.masked_fill, "aten::masked_fill.Tensor": torch.masked_fill, "aten::masked_select": torch.masked_select,
    "aten::nonzero": torch.nonzero,
    **{f"aten::{name}": getattr(torch, name) for name in (
        "abs sign square reciprocal rsqrt log1p expm1 log2 log10 tan asin acos atan sinh cosh erf floor ceil round trunc clamp_min clamp_max "
        "maximum minimum atan2 max min prod amax amin logsumexp cumsum clamp").split()},
    "aten::gelu": lambda x, a: F.gelu(x, approximate=a), "aten::silu": F.silu, "aten::softplus": F.softplus, "aten::leaky_relu": F.leaky_relu,
    "aten::elu": F.elu, "aten::hardtanh": F.hardtanh, "aten::pow.Tensor_Tensor": torch.pow, "aten::pow.Scalar": torch.pow,
    "aten::remainder.Tensor": torch.remainder, "aten::remainder.Scalar": torch.remainder, "aten::fmod.Tensor": torch.fmod,
    "aten::fmod.Scalar": torch.fmod, "aten::lerp.Scalar": torch.lerp, "aten::lerp.Tensor": torch.lerp,
    "aten::addcmul": lambda x, a, b, v: torch.addcmul(x, a, b, value=v), "aten::addcdiv": lambda x, a, b, v: torch.addcdiv(x, a, b, value=v),
    "aten::max.dim": torch.max, "aten::min.dim": torch.min, "aten::argmax": torch.argmax, "aten::argmin": torch.argmin,
    "aten::var": torch.var, "aten::std": torch.std, "aten::var.correction": lambda x, d, c, k: torch.var(x, every(x, d), correction=c, keepdim=k),
    "aten::std.correction": lambda x, d, c, k: torch.std(x, every(x, d), correction=c, keepdim=k),
    "aten::norm.Scalar": torch.norm, "aten::norm.ScalarOpt_dim": torch.norm, "aten::prod.dim_int": torch.prod,
    "aten::conv2d": F.conv2d, "aten::conv2d.groups": F.conv2d,
    "aten::embedding": lambda w, i, p, f: F.embedding(i, w, p, scale_grad_by_freq=f),
    "aten::embedding_bag.padding_idx": lambda w, i, o, f, m, p, l, pad: F.embedding_bag(
        i, w, o, scale_grad_by_freq=f, mode=m, per_sample_weights=p, include_last_offset=l, padding_idx=pad),
    "aten::max_pool2d": lambda x, k, s, p, d, c: F.max_pool2d(x, k, s or None, p, d, c),
    "aten::max_pool2d_with_indices": lambda x, k, s, p, d, c: F.max_pool2d(x, k, s or None, p, d, c, return_indices=True),
    "aten::avg_pool2d": lambda x, k, s, p, c, i, d: F.avg_pool2d(x, k, s or None, p, c, i, d),
    "aten::adaptive_avg_pool2d": lambda x, s: F.adaptive_avg_pool2d(x, s if len(s) == 2 else s * 2), "aten::layer_norm": F.layer_norm, "aten::group_norm": F.group_norm,
    "aten::batch_norm": lambda x, w, b, m, v, t, momentum, eps: F.batch_norm(x, m, v, w, b, t, momentum, eps), "aten::dropout": F.dropout,
    "aten::nll_loss_nd": lambda x, t, w, r, i: F.nll_loss(x, t, w, ignore_index=i, reduction=r),
    "aten::cross_entropy_loss.weight": lambda x, t, w, r, i, s: F.cross_entropy(x, t, w, ignore_index=i, reduction=r, label_smoothing=s),
    "aten::mse_loss": lambda x, t, r: F.mse_loss(x, t, reduction=r), "aten::l1_loss": lambda x, t, r: F.l1_loss(x, t, reduction=r),
    "aten::smooth_l1_loss": lambda x, t, r, b: F.smooth_l1_loss(x, t, reduction=r, beta=b),
    "aten::huber_loss": lambda x, t, r, d: F.huber_loss(x, t, reduction=r, delta=d),
    "aten::binary_cross_entropy": lambda x, t, w, r: F.binary_cross_entropy(x, t, w, reduction=r),
    "aten::binary_cross_entropy_with_logits": lambda x, t, w, p, r: F.binary_cross_entropy_with_logits(x, t, w, reduction=r, pos_weight=p),
    "aten::kl_div": lambda x, t, r, l: F.kl_div(x, t, reduction=r, log_target=l),
    "aten::sparse_coo_tensor.indices_size": torch.sparse_coo_tensor, "aten::to_sparse": lambda x: x.to_sparse(),
    "aten::to_sparse.sparse_dim": lambda x, d: x.to_sparse(d), "aten::to_dense": lambda x: x.to_dense(),
    "aten::embedding.sparse": lambda w, i, s: F.embedding(i, w, sparse=s),
    "aten::embedding_bag.sparse": lambda w, i, o, m, p, s: F.embedding_bag(i, w, o, mode=m, per_sample_weights=p, sparse=s),
    "aten::coalesce": lambda x: x.coalesce(), "aten::values": lambda x: x.values(),
}
OPERATORS.update({
    **{f"aten::{name}": getattr(torch, name) for name in (
        "sort argsort topk kthvalue cumprod exp2 frac erfc logaddexp outer dist trace diag selu celu prelu").split()},
    **{f"aten::{name}": getattr(F, name) for name in (
        "mish hardswish relu6 softsign tanhshrink softshrink hardshrink threshold glu pixel_shuffle pixel_unshuffle conv1d conv3d "
        "conv_transpose1d adaptive_avg_pool1d").split()},
    "aten::median.dim": torch.median, "aten::_unique2": torch._unique2, "aten::log_sigmoid": F.logsigmoid,
    # F.hardsigmoid itself divides its gradient by 6 in float32.
    "aten::hardsigmoid": lambda x: F.relu6(x + 3) / 6,
    "aten::isclose": lambda x, y, r, a, n: torch.isclose(x, y, r, a, n), "aten::count_nonzero.dim_IntList": lambda x, d: torch.count_nonzero(x, d or None),
    "aten::xlogy.Tensor": torch.xlogy, "aten::nan_to_num": torch.nan_to_num, "aten::diff": torch.diff, "aten::cdist": torch.cdist,
    "aten::addmm": lambda x, a, b, beta, alpha: torch.addmm(x, a, b, beta=beta, alpha=alpha),
    "aten::addmv": lambda x, a, b, beta, alpha: torch.addmv(x, a, b, beta=beta, alpha=alpha),
    "aten::baddbmm": lambda x, a, b, beta, alpha: torch.baddbmm(x, a, b, beta=beta, alpha=alpha),
    "aten::tensordot": lambda x, y, d, e: torch.tensordot(x, y, (d, e)), "aten::einsum": torch.einsum,
    "aten::index.Tensor": lambda x, i: x[tuple(i)], "aten::index_put": lambda x, i, v, a: x.index_put(tuple(i), v, accumulate=a),
    "aten::index_fill.int_Scalar": torch.index_fill, "aten::index_copy": torch.index_copy, "aten::masked_scatter": torch.masked_scatter,
    "aten::select_scatter": torch.select_scatter, "aten::take_along_dim": torch.take_along_dim, "aten::repeat_interleave.self_int": torch.repeat_interleave,
    "aten::pad": F.pad, "aten::meshgrid.indexing": lambda ts, i: torch.meshgrid(*ts, indexing=i),
    "aten::conv_transpose2d.input": F.conv_transpose2d, "aten::adaptive_max_pool2d": lambda x, s: F.adaptive_max_pool2d(x, s if len(s) == 2 else s * 2),
    "aten::max_pool1d": lambda x, k, s, p, d, c: F.max_pool1d(x, k, s or None, p, d, c),
    "aten::avg_pool1d": lambda x, k, s, p, c, i: F.avg_pool1d(x, k, s or None, p, c, i),
    "aten::margin_ranking_loss": lambda a, b, t, m, r: F.margin_ranking_loss(a, b, t, m, reduction=r),
    "aten::hinge_embedding_loss": lambda x, t, m, r: F.hinge_embedding_loss(x, t, m, reduction=r),
    "aten::soft_margin_loss": lambda x, t, r: F.soft_margin_loss(x, t, reduction=r),
    "aten::cosine_embedding_loss": lambda a, b, t, m, r: F.cosine_embedding_loss(a, b, t, m, reduction=r),
    "aten::triplet_margin_loss": lambda a, b, c, m, p, e, s, r: F.triplet_margin_loss(a, b, c, m, p, e, s, reduction=r),
    "aten::poisson_nll_loss": lambda x, t, l, f, e, r: F.poisson_nll_loss(x, t, l, f, eps=e, reduction=r),
    "aten::gaussian_nll_loss": lambda x, t, v, f, e, r: F.gaussian_nll_loss(x, t, v, f, e, r),
})
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for overload in ("Tensor", "Scalar"): OPERATORS[f"aten::{name}.{overload}"] = getattr(torch, name)

# What PyTorch does for sparse tensors under another name, or does not do (None), where dense tensors take the place of sparse ones.
SPARSE_OPERATORS = {
    "aten::sum": torch.sparse.sum,
    "aten::sum.dim_IntList": lambda x, d, k: sparse_sum(x, d, k),
    "aten::narrow": lambda x, d, s, n: None, "aten::select.int": lambda x, d, i: None, "aten::cat": lambda x, d: None,
}


def sparse_sum(tensor, dims, keepdim):
    result = torch.sparse.sum(tensor, dims) if dims else torch.sparse.sum(tensor)
    for dim in sorted(d % tensor.dim() for d in dims) if keepdim else []: result = result.unsqueeze(dim)
    return result


def parse_tensor(words):
    shape = [] if words[1] == "-" else [int(n) for n in words[1].split(",")]
    values = [float(v) for v in words[2:]]
    tensor = torch.tensor(values, dtype=torch.float64).reshape(shape)
    return tensor.requires_grad_() if words[0] == "float64" else tensor.to(getattr(torch, words[0]))


def parse_sparse(words, lines):
    indices, values = (parse_tensor(next(lines).split()[2:]).detach() for _ in range(2))
    shape = next(lines).split()[1]
    tensor = torch.sparse_coo_tensor(indices, values, [] if shape == "-" else [int(n) for n in shape.split(",")])
    return (tensor.coalesce() if words[0] == "coalesced" else tensor).requires_grad_()


def parse_argument(words, lines):
    kind, rest = words[0], words[1:]
    if kind == "tensor": return parse_tensor(rest)
    if kind == "constant": return parse_tensor(rest).detach()
    if kind == "sparse": return parse_sparse(rest, lines)
    if kind == "list": return [parse_argument(next(lines).split()[1:], lines) for _ in range(int(rest[0]))]
    if kind == "ints": return [] if rest[0] == "-" else [int(n) for n in rest[0].split(",")]
    if kind == "integer": return int(rest[0])
    if kind == "double": return float(rest[0])
    if kind == "boolean": return rest[0] == "true"
    if kind == "string": return rest[0]
    if kind == "dtype": return getattr(torch, rest[0])
    if kind == "none": return None
    raise ValueError(kind)


def write(kind, tensor):
    shape = ",".join(str(n) for n in tensor.shape) or "-"
    layout = "sparse" if tensor.is_sparse else "tensor"
    values = " ".join(f"{v:.12g}" for v in dense(tensor.detach()).reshape(-1).tolist())
    print(f"{kind} {layout} {str(tensor.dtype).split('.')[1]} {shape} {values}".rstrip())


def weights(tensor):
    return torch.tensor([(i % 7 - 3) / 2 + 0.1 for i in range(tensor.numel())], dtype=torch.float64).reshape(tensor.shape)


def flat(args):
    return [x for arg in args for x in (arg if isinstance(arg, list) else [arg])]


def as_dense(args):
    return [[as_dense([x])[0] for x in arg] if isinstance(arg, list) else arg.to_dense() if is_sparse(arg) else arg for arg in args]


def dense(tensor):
    return tensor.to_dense() if tensor.is_sparse else tensor


def is_sparse(arg):
    return isinstance(arg, torch.Tensor) and arg.is_sparse


def compute(name, args):
    if not any(is_sparse(arg) for arg in flat(args)): return OPERATORS[name](*args)
    result = SPARSE_OPERATORS.get(name, OPERATORS[name])(*args)
    if result is not None: return result
    return OPERATORS[name](*as_dense(args)).to_sparse()


def mixed(results):
    return sum((dense(tensor) * weights(tensor)).sum() for tensor in results)


def run(name, args):
    result = compute(name, args)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    for tensor in results: write("out", tensor)
    if not results[0].requires_grad: return
    try:
        mixed(results).backward()
    except RuntimeError:  # no gradient for sparse tensors
        if not any(is_sparse(arg) for arg in flat(args)): raise
        for tensor in flat(args):
            if isinstance(tensor, torch.Tensor): tensor.grad = None
        mixed([OPERATORS[name](*as_dense(args))]).backward()
    for tensor in flat(args):
        if isinstance(tensor, torch.Tensor) and tensor.grad is not None:
            write("grad", tensor.grad)


def reduced(arg, dtype):
    if isinstance(arg, list): return [reduced(x, dtype) for x in arg]
    if not isinstance(arg, torch.Tensor) or not arg.is_floating_point(): return arg
    return arg.detach().to(dtype).requires_grad_(arg.requires_grad)


def run_reduced(header, args, dtype):
    name = header.split()[1]
    args = [reduced(arg, dtype) for arg in args]
    try:
        result = compute(name, args)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        for tensor in results: tensor.tolist() if not tensor.is_sparse else tensor.to_dense()
        gradients = []
        if results[0].requires_grad:
            loss = 0
            for tensor in results:
                if not tensor.requires_grad: continue
                factors = torch.tensor([(i % 7 - 3) / 2 + 0.25 for i in range(tensor.numel())], dtype=tensor.dtype).reshape(tensor.shape)
                loss = loss + (dense(tensor) * factors).double().sum()
            loss.backward()
            gradients = [x.grad for x in flat(args) if isinstance(x, torch.Tensor) and x.grad is not None]
            for tensor in gradients: dense(tensor)
    except (RuntimeError, TypeError, NotImplementedError):
        return
    print(header)
    for tensor in results: write("out", tensor)
    for tensor in gradients: write("grad", tensor)


def main(path, dtype=None):
    text = open(path).read().splitlines()
    blocks, block = [], None
    for line in text:
        if line.startswith("case "):
            block = (line, [])
            blocks.append(block)
        else:
            block[1].append(line)
    for header, lines in blocks:
        if dtype: lines = [line for line in lines if not line.startswith(("out ", "grad "))]
        left = iter(lines)
        args = [parse_argument(line.split()[1:], left) for line in left]
        if dtype:
            run_reduced(header, args, dtype)
            continue
        print(header)
        for line in lines: print(line)
        run(header.split()[1], args)


if __name__ == "__main__":
    main(sys.argv[1], getattr(torch, sys.argv[2]) if len(sys.argv) > 2 else None)
