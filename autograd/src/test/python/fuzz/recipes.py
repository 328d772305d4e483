"""What arguments each operator is tried on: `RECIPES[name](generator)` returns them."""
import torch

from program import Unsupported, Word

RECIPES, CHANGES = {}, {}


def recipe(names, arguments):
    for name in names.split(): RECIPES["aten::" + name] = arguments


def first(function):
    """Arguments that begin with any value."""
    def arguments(g):
        x = g.any()
        return [x, *function(g, x)]
    return arguments


def with_pair(dtype=None):
    def arguments(g):
        x = g.any(dtype)
        return [x, g.broadcast(x)]
    return arguments


UNARY = ("neg exp log cos sin sqrt relu tanh sigmoid abs sign square reciprocal rsqrt log1p expm1 log2 log10 tan asin acos atan sinh cosh "
         "erf floor ceil round trunc silu isnan isinf isfinite logical_not all any clone detach squeeze")
recipe(UNARY, lambda g: [g.any()])
recipe("sum mean max min prod nonzero", lambda g: [g.any()])
recipe("t", lambda g: [g.any(high=2)])
recipe("add.Tensor sub.Tensor mul.Tensor div.Tensor maximum minimum atan2 remainder.Tensor fmod.Tensor pow.Tensor_Tensor eq.Tensor ne.Tensor "
       "lt.Tensor le.Tensor gt.Tensor ge.Tensor logical_and logical_or logical_xor", with_pair())
recipe("add.Scalar sub.Scalar mul.Scalar div.Scalar pow.Tensor_Scalar clamp_min clamp_max remainder.Scalar fmod.Scalar eq.Scalar ne.Scalar "
       "lt.Scalar le.Scalar gt.Scalar ge.Scalar elu leaky_relu", first(lambda g, x: [g.number()]))
recipe("pow.Scalar", lambda g: [g.number(), g.any()])
recipe("clamp", first(lambda g, x: g.random.choice([[g.number(), g.number()], [None, g.number()], [g.number(), None]])))
recipe("hardtanh", first(lambda g, x: sorted([g.random.randint(-8, 8) / 8, g.random.randint(-8, 8) / 8])))
recipe("gelu", lambda g: [g.any("floating"), Word(g.random.choice(["none", "tanh"]))])
recipe("softplus", lambda g: [g.any("floating"), g.random.choice([1, 0.5, 2]), g.random.choice([20, 1])])
recipe("lerp.Scalar", first(lambda g, x: [g.broadcast(x), g.number()]))
recipe("lerp.Tensor", first(lambda g, x: [g.broadcast(x), g.broadcast(x)]))
recipe("addcmul addcdiv", first(lambda g, x: [g.broadcast(x), g.broadcast(x), g.number()]))
recipe("sum.dim_IntList mean.dim amax amin logsumexp", first(lambda g, x: [g.dims(x, 1), g.flag()]))
recipe("all.dim any.dim max.dim min.dim argmax argmin prod.dim_int", first(lambda g, x: [g.dim(x), g.flag()]))
recipe("cumsum squeeze.dim unbind.int", first(lambda g, x: [g.dim(x)]))
recipe("softmax.int log_softmax.int", lambda g: (lambda x: [x, g.dim(x)])(g.any("floating" if g.chance(0.9) else None)))
recipe("var std", lambda g: [g.any("floating"), g.flag()])


def over_dims(g, *middle):
    x = g.any("floating", 1)
    return [x, *middle, g.dims(x, 1)]


recipe("var.correction std.correction", lambda g: [*over_dims(g), g.random.randint(0, 2), g.flag()])
recipe("norm.Scalar", lambda g: [g.any("floating"), g.random.choice([1, 2, 2.0, 3, float("inf"), 0])])
recipe("norm.ScalarOpt_dim", lambda g: [*over_dims(g, g.random.choice([1, 2, 2.0, 3, float("inf"), 0])), g.flag()])


def mask(g, x): return g.broadcast(x, "bool")


recipe("where.self", lambda g: (lambda x: [mask(g, x), x, g.broadcast(x)])(g.any()))
recipe("where.ScalarOther", lambda g: (lambda x: [mask(g, x), x, g.number()])(g.any()))
recipe("where.ScalarSelf", lambda g: (lambda x: [mask(g, x), g.number(), x])(g.any()))
recipe("where.Scalar", lambda g: [g.any("bool"), g.number(), g.number()])
recipe("masked_fill.Scalar", first(lambda g, x: [mask(g, x), g.number()]))
recipe("masked_fill.Tensor", first(lambda g, x: [mask(g, x), g.of([], g.dtype_of(x))]))


def laid_out(g):
    """Of others PyTorch's gradient of masked_select goes to the elements in the order of their memory."""
    x = g.any()
    if not g.tensor(x).is_contiguous(): raise Unsupported
    return x


recipe("masked_select", lambda g: (lambda x: [x, mask(g, x)])(laid_out(g)))


# Products

def matrices(g, *shapes):
    dtype = g.floating() if g.chance(0.85) else g.dtype()
    return [g.of(shape, dtype) for shape in shapes]


def sizes(g, count): return [g.size() for _ in range(count)]


def mm(g):
    a, b, c = sizes(g, 3)
    return matrices(g, (a, b), (b, c))


def bmm(g):
    n, a, b, c = sizes(g, 4)
    return matrices(g, (n, a, b), (n, b, c))


def matmul(g):
    n, a, b, c = sizes(g, 4)
    left = g.random.choice([(b,), (a, b), (n, a, b), (1, a, b), (2, n, a, b)])
    right = g.random.choice([(b,), (b, c), (n, b, c), (1, b, c)])
    return matrices(g, left, right)


def linear(g):
    a, b, c, n = sizes(g, 4)
    made = matrices(g, g.random.choice([(b,), (a, b), (n, a, b)]), (c, b), (c,))
    return made if g.chance(0.7) else [*made[:2], None]


recipe("mm", mm)
recipe("bmm", bmm)
recipe("matmul", matmul)
recipe("linear", linear)
recipe("mv", lambda g: (lambda a, b: matrices(g, (a, b), (b,)))(*sizes(g, 2)))
recipe("dot", lambda g: (lambda a: matrices(g, (a,), (a,)))(g.size()))
recipe("linalg_multi_dot", lambda g: (lambda a, b, c, d: [matrices(g, (a, b), (b, c), (c, d))])(*sizes(g, 4)))

# Shapes


def factors(g, x):
    """A shape with as many elements."""
    total, shape = g.tensor(x).numel(), []
    while total > 1 and g.chance(0.8):
        factor = g.random.choice([f for f in range(1, total + 1) if total % f == 0])
        shape.append(factor)
        total //= factor
    shape.append(total)
    g.random.shuffle(shape)
    if total and g.chance(0.3): shape[g.random.randrange(len(shape))] = -1
    return shape if shape != [1] or g.chance(0.5) else []


def order(g, x):
    dims = len(g.shape_of(x))
    return [d - dims if g.chance(0.2) else d for d in g.random.sample(range(dims), dims)]


def narrow(g, x):
    d = g.dim(x)
    size = g.shape_of(x)[d] if g.shape_of(x) else 1
    start = g.random.randint(0, size)
    return [d, start, g.random.randint(0, size - start)]


def expanded(g, x):
    shape = [(g.size() if s == 1 else g.random.choice([s, s, -1])) for s in g.shape_of(x)]
    return [[*([g.size()] if g.chance(0.3) else []), *shape]]


def split_sizes(g, x):
    d = g.dim(x)
    size = g.shape_of(x)[d] if g.shape_of(x) else 1
    cut = g.random.randint(0, size)
    return [[cut, size - cut], d]


def pair(g, x): return [g.dim(x), g.dim(x)]


def moved(g, x):
    a = g.dims(x)
    return [a, g.random.sample(order(g, x), len(a))]


def unflattened(g):
    x = g.any("floating", 0, 3)
    d = g.dim(x)
    size = g.shape_of(x)[d] if g.shape_of(x) else 1
    options = [[size], [1, size], [size, 1], [-1, 1], *([[2, size // 2]] if size and size % 2 == 0 else [])]
    return [x, d, g.random.choice(options)]


recipe("transpose.int", first(pair))
recipe("view reshape", first(lambda g, x: [factors(g, x)]))
recipe("unsqueeze", first(lambda g, x: [g.random.randint(-len(g.shape_of(x)) - 1, len(g.shape_of(x)))]))
recipe("expand broadcast_to", first(expanded))
recipe("expand_as", first(lambda g, x: [g.of([abs(n) for n in expanded(g, x)[0]])]))
recipe("view_as", first(lambda g, x: [g.of([abs(n) for n in factors(g, x)])]))
recipe("narrow", first(narrow))
recipe("select.int", first(lambda g, x: [g.dim(x), g.random.randint(-2, 2)]))
recipe("slice.Tensor", first(lambda g, x: [g.dim(x), g.random.randint(-3, 3), g.random.randint(-3, 5), g.random.randint(1, 3)]))
recipe("split.Tensor", first(lambda g, x: [g.random.randint(1, 3), g.dim(x)]))
recipe("split_with_sizes", first(split_sizes))
recipe("chunk", first(lambda g, x: [g.random.randint(1, 3), g.dim(x)]))
recipe("permute", first(lambda g, x: [order(g, x)]))
recipe("movedim.intlist", first(moved))
recipe("flatten.using_ints", first(pair))
recipe("unflatten.int", unflattened)
recipe("diagonal", lambda g: (lambda x: [x, g.random.randint(-2, 2), *pair(g, x)])(g.any(low=2)))
recipe("repeat", first(lambda g, x: [g.integers(0, 2, len(g.shape_of(x)) + g.random.randint(0, 1))]))
recipe("flip", first(lambda g, x: [g.dims(x)]))
recipe("roll", first(lambda g, x: g.random.choice([[[g.random.randint(-3, 3)], []], (lambda d: [g.integers(-3, 3, len(d)), d])(g.dims(x, 1))])))
recipe("tril triu", lambda g: [g.any(low=2), g.random.randint(-2, 2)])
recipe("broadcast_tensors", lambda g: (lambda x: [[x, g.broadcast(x)]])(g.any()))
recipe("stack", lambda g: (lambda x: [[x, *(g.like(x) for _ in range(g.random.randint(0, 2)))], g.random.randint(-len(g.shape_of(x)) - 1, len(g.shape_of(x)))])(g.any()))


def cat(g):
    x = g.any(low=1)
    d, more = g.dim(x), []
    for _ in range(g.random.randint(0, 2)):
        shape = list(g.shape_of(x))
        shape[d] = g.size()
        more.append(g.of([0] if g.chance(0.1) else shape, g.dtype_of(x) if g.chance(0.8) else None))
    tensors = [x, *more]
    g.random.shuffle(tensors)
    return [tensors, d]


recipe("cat", cat)
recipe("to.dtype", first(lambda g, x: [getattr(torch, g.dtype())]))

# Indices


def size_of(g, x, d): return g.shape_of(x)[d] if g.shape_of(x) else 1


def indexed(g, x):
    d = g.dim(x)
    shape = [max(s - g.random.randint(0, 1), 0) for s in g.shape_of(x)]
    if shape: shape[d] = g.size()
    return d, shape, g.indices(shape, size_of(g, x, d))


def scattered(g, x):
    d, shape, index = indexed(g, x)
    return [d, index, g.of(shape, g.dtype_of(x))]


def scatter(g, x):
    """Each index at most once: of several writes to one element no order is promised."""
    d = g.dim(x)
    shape = list(g.shape_of(x))
    if shape: shape[d] = g.random.randint(0, shape[d])
    count = 1
    for size in shape: count *= size
    inner = 1
    for size in shape[d % len(shape) + 1:] if shape else []: inner *= size
    extent = shape[d] if shape else 1
    return d, shape, g.fresh("int64", shape, [i // max(inner, 1) % max(extent, 1) for i in range(count)])


recipe("index_select", first(lambda g, x: (lambda d: [d, g.indices([g.size()], size_of(g, x, d))])(g.dim(x))))
recipe("gather", first(lambda g, x: (lambda d, _, index: [d, index])(*indexed(g, x))))
recipe("scatter.src", first(lambda g, x: (lambda d, shape, index: [d, index, g.of(shape, g.dtype_of(x))])(*scatter(g, x))))
recipe("scatter.value", first(lambda g, x: (lambda d, shape, index: [d, index, g.number()])(*scatter(g, x))))
recipe("scatter_add", first(scattered))


def index_add(g):
    x = g.any(low=1)
    d, n = g.dim(x), g.size()
    shape = list(g.shape_of(x))
    shape[d] = n
    return [x, d, g.indices([n], size_of(g, x, d)), g.of(shape, g.dtype_of(x)), g.random.choice([1, 2, 0.5])]


recipe("index_add", index_add)


def embedding(g):
    rows = g.random.randint(1, 4)
    weight = g.of([rows, g.size()], g.floating())
    return [weight, g.indices(g.shape(0, 2), rows), g.random.choice([None, None, 0, -1]), g.flag()]


def embedding_bag(g):
    rows, n = g.random.randint(1, 4), g.random.randint(0, 6)
    weight = g.of([rows, g.size()], g.floating())
    offsets = sorted([0, *(g.random.randint(0, n) for _ in range(g.random.randint(0, 2)))])
    mode = g.random.choice(["sum", "mean"])
    samples = g.of([n], g.dtype_of(weight)) if mode == "sum" and g.chance(0.4) else None
    return [weight, g.indices([n], rows), g.fresh("int64", [len(offsets)], offsets), Word(mode), samples]


recipe("embedding", embedding)
recipe("embedding_bag", embedding_bag)

# Networks


def conv2d(g):
    n, c, o, groups = g.random.randint(0, 2), g.random.randint(1, 2), g.random.randint(1, 3), g.random.choice([1, 1, 2])
    dtype = g.floating()
    x = g.of([n, c * groups, g.random.randint(1, 5), g.random.randint(1, 5)][0 if g.chance(0.8) else 1:], dtype)
    w = g.of([o * groups, c, g.random.randint(1, 3), g.random.randint(1, 3)], dtype)
    bias = g.of([o * groups], dtype) if g.flag() else None
    return [x, w, bias, g.integers(1, 2, 2), g.integers(0, 2, 2), g.integers(1, 2, 2), groups]


def image(g): return g.of([g.random.randint(0, 2), g.random.randint(1, 2), g.random.randint(1, 6), g.random.randint(1, 6)][g.random.randint(0, 1):], g.floating())


def max_pool(g):
    return [image(g), g.integers(1, 3, 2), g.random.choice([[], g.integers(1, 3, 2)]), g.integers(0, 1, 2), g.integers(1, 2, 2), g.flag()]


def avg_pool(g):
    return [image(g), g.integers(1, 3, 2), g.random.choice([[], g.integers(1, 3, 2)]), g.integers(0, 1, 2), g.flag(), g.flag(), g.random.choice([None, None, 3])]


def optional(g, shape, dtype): return g.of(shape, dtype) if g.chance(0.7) else None


def layer_norm(g):
    x = g.any("floating", 1)
    shape = list(g.shape_of(x)[-g.random.randint(1, len(g.shape_of(x))):])
    return [x, shape, optional(g, shape, g.dtype_of(x)), optional(g, shape, g.dtype_of(x)), g.random.choice([1e-5, 0.5])]


def group_norm(g):
    groups = g.random.choice([1, 2])
    c = groups * g.random.randint(1, 2)
    x = g.of([g.random.randint(1, 2), c, *[g.random.randint(1, 3) for _ in range(g.random.randint(0, 2))]], g.floating())
    return [x, groups, optional(g, [c], g.dtype_of(x)), optional(g, [c], g.dtype_of(x)), 0.5]


recipe("conv2d.groups", conv2d)
recipe("max_pool2d max_pool2d_with_indices", max_pool)
recipe("avg_pool2d", avg_pool)
recipe("adaptive_avg_pool2d", lambda g: [image(g), g.integers(1, 4, 2)])
recipe("layer_norm", layer_norm)
recipe("group_norm", group_norm)

# Losses

REDUCTIONS = ["none", "mean", "sum"]


def loss(*more):
    def arguments(g):
        x = g.any("floating")
        return [x, g.like(x), Word(g.random.choice(REDUCTIONS)), *(m(g) for m in more)]
    return arguments


def classes(g):
    c, dtype = g.random.randint(1, 4), g.floating()
    batch = g.random.choice([(), (g.size(),), (g.size(), 2)])
    shape = [batch[0], c, *batch[1:]] if batch else [c]
    return g.of(shape, dtype), g.indices(batch, c), c, dtype


def cross_entropy(smoothing):
    def arguments(g):
        x, target, c, dtype = classes(g)
        weight = g.fresh(dtype, [c], [i / 4 + 0.5 for i in range(c)], False) if g.chance(0.3) else None
        args = [x, target, weight, Word(g.random.choice(REDUCTIONS)), g.random.choice([-100, 0])]
        return [*args, g.random.choice([0.0, 0.25])] if smoothing else args
    return arguments


recipe("mse_loss l1_loss", loss())
recipe("smooth_l1_loss huber_loss", loss(lambda g: g.random.choice([1.0, 0.5])))
recipe("kl_div", loss(lambda g: g.flag()))
recipe("binary_cross_entropy_with_logits", lambda g: (lambda x: [x, g.like(x), None, None, Word(g.random.choice(REDUCTIONS))])(g.any("floating")))
recipe("nll_loss cross_entropy_loss", lambda g: list(classes(g)[:2]))
recipe("nll_loss_nd", cross_entropy(False))
recipe("cross_entropy_loss.weight", cross_entropy(True))

# Of PyTorch's functional, and others that are seldom used


def finite(g, low=0):
    """What these make of NaN depends in PyTorch on the element's place: eight at a time go another way than the rest."""
    x = g.any("floating", low)
    if not g.tensor(x).isfinite().all(): raise Unsupported
    return x


recipe("exp2 erfc frac", lambda g: [g.any("floating")])
recipe("hardsigmoid log_sigmoid mish relu6 selu softsign tanhshrink", lambda g: [finite(g)])


def within(g):
    """At its bounds PyTorch's gradient of hardswish has two values, by the element's place."""
    x = finite(g)
    if (g.tensor(x).abs() == 3).any(): raise Unsupported
    return x


recipe("hardswish", lambda g: [within(g)])
recipe("celu hardshrink softshrink", lambda g: [finite(g), g.random.choice([1, 0.5, 0.25])])
recipe("threshold", lambda g: [finite(g), g.number(), g.number()])
recipe("nan_to_num", lambda g: [g.any("floating"), *g.random.choice([[0.5, 3.0, -3.0], [1.0, 2.0, -1.0]])])
recipe("logaddexp xlogy.Tensor", with_pair("floating"))
recipe("isclose", lambda g: (lambda x: [x, g.like(x), 1e-5, 1e-8, g.flag()])(g.any("floating")))
recipe("dist", lambda g: (lambda x: [x, g.like(x), g.random.choice([1, 2, 2.0, 3, float("inf"), 0])])(g.any("floating")))
recipe("outer", lambda g: matrices(g, [g.size()], [g.size()]))
recipe("trace", lambda g: [g.of(sorted(sizes(g, 2)), g.floating())])  # of a long matrix PyTorch 1.13 has a wrong gradient
recipe("diag", lambda g: [g.any(low=1, high=2), g.random.randint(-2, 2)])
recipe("cumprod", lambda g: (lambda x: [x, g.dim(x)])(g.any("floating")))
recipe("count_nonzero.dim_IntList", first(lambda g, x: [g.dims(x, 1)]))
recipe("diff", lambda g: (lambda x: [x, g.random.randint(0, 2), g.dim(x)])(g.any("floating", 1)))
recipe("glu", lambda g: (lambda x: [x, g.dim(x)])(g.any("floating", 1)))
recipe("repeat_interleave.self_int", first(lambda g, x: [g.random.randint(0, 3), g.random.choice([None, g.dim(x)])]))
recipe("dropout", lambda g: [g.any("floating"), 0.5, False])
recipe("prelu", lambda g: (lambda x: [x, g.of([g.random.choice([1, *g.shape_of(x)[1:2]])], g.dtype_of(x))])(finite(g, 1)))
recipe("meshgrid.indexing", lambda g: [matrices(g, *([g.size()] for _ in range(g.random.randint(1, 3)))), Word(g.random.choice(["ij", "xy"]))])


def distinct(g, low=0):
    """A tensor without equal elements, whose order is promised therefore."""
    shape, dtype = g.shape(low, 3), g.floating()
    count = 1
    for size in shape: count *= size
    return g.fresh(dtype, shape, [n / 8 - 2 for n in g.random.sample(range(2 * count), count)])


def ranked(g, low=0):
    x = distinct(g, low)
    d = g.dim(x)
    return x, d, g.random.randint(1, max(size_of(g, x, d), 1))


recipe("sort argsort", lambda g: (lambda x: [x, g.dim(x), g.flag()])(distinct(g)))
recipe("topk", lambda g: (lambda x, d, k: [x, k, d, g.flag(), True])(*ranked(g)))
recipe("kthvalue", lambda g: (lambda x, d, k: [x, k, d, g.flag()])(*ranked(g)))
recipe("median.dim", lambda g: (lambda x, d, _: [x, d, g.flag()])(*ranked(g)))
recipe("_unique2", lambda g: [g.any("int64"), True, g.flag(), g.flag()])
recipe("addmm", lambda g: (lambda a, b, c: [*matrices(g, g.random.choice([(a, c), (c,)]), (a, b), (b, c)), g.number(), g.number()])(*sizes(g, 3)))
recipe("addmv", lambda g: (lambda a, b: [*matrices(g, (a,), (a, b), (b,)), g.number(), g.number()])(*sizes(g, 2)))
recipe("baddbmm", lambda g: (lambda n, a, b, c: [*matrices(g, (n, a, c), (n, a, b), (n, b, c)), g.number(), g.number()])(*sizes(g, 4)))
recipe("cdist", lambda g: (lambda a, b, c: [*(g.of(shape, "float64") for shape in ((a, b), (c, b))), g.random.choice([1.0, 2.0, 3.0])])(*sizes(g, 3)))
recipe("tensordot", lambda g: (lambda a, b, c: [*matrices(g, (a, b), (b, c)), [1], [0]])(*sizes(g, 3)))


def einsum(g):
    extent = dict(zip("ijk", sizes(g, 3)))
    terms = g.random.choice(["ij,jk->ik", "ij,ij->", "i,j->ij", "ij->ji", "ii->i", "ijk,ik->ij", "ij,kj->ik", "ij->i", "ij,jk"])
    inputs = terms.split("->")[0].split(",")
    return [Word(terms), matrices(g, *([extent[letter] for letter in term] for term in inputs))]


recipe("einsum", einsum)


def put(g):
    x = g.any("floating", 1, 3)
    index = g.indices([g.size()], size_of(g, x, 0))
    return x, index, [*g.shape_of(index), *g.shape_of(x)[1:]]


recipe("index.Tensor", lambda g: (lambda x, index, _: [x, [index]])(*put(g)))
recipe("index_put", lambda g: (lambda x, index, shape: [x, [index], g.of(shape, g.dtype_of(x)), True])(*put(g)))
recipe("index_fill.int_Scalar", first(lambda g, x: (lambda d: [d, g.indices([g.size()], size_of(g, x, d)), g.number()])(g.dim(x))))


def index_copy(g):
    """Each index once: of several writes to one element no order is promised."""
    x = g.any("floating", 1)
    d = g.dim(x)
    extent = size_of(g, x, d)
    index = g.random.sample(range(extent), g.random.randint(0, extent))
    shape = list(g.shape_of(x))
    shape[d] = len(index)
    return [x, d, g.fresh("int64", [len(index)], index), g.of(shape, g.dtype_of(x))]


recipe("index_copy", index_copy)
recipe("masked_scatter", lambda g: (lambda x: [x, g.fresh("bool", g.shape_of(x)), g.like(x)])(g.any("floating")))
recipe("take_along_dim", lambda g: (lambda x: (lambda d: [x, g.indices(g.shape_of(x), size_of(g, x, d)), d])(g.dim(x)))(g.any("floating", 1)))


def select_scatter(g):
    x = g.any("floating", 1)
    d = g.dim(x)
    shape = list(g.shape_of(x))
    extent = shape.pop(d)
    return [x, g.of(shape, g.dtype_of(x)), d, g.random.randint(-extent, max(extent - 1, 0))]


recipe("select_scatter", select_scatter)


def line(g): return g.of([g.random.randint(1, 2), g.random.randint(1, 2), g.random.randint(1, 6)][g.random.randint(0, 1):], g.floating())


def pad(g):
    mode = g.random.choice(["constant", "reflect", "replicate", "circular"])
    x = g.of([g.random.randint(1, 2), g.random.randint(1, 2), g.random.randint(2, 4), g.random.randint(2, 4)], g.floating())
    if mode == "constant": return [x, g.integers(-1, 2, 2 * g.random.randint(1, 3)), Word(mode), g.random.choice([None, 0.5])]
    return [x, g.integers(0, 1, 4), Word(mode), None]


def convolution(dims, transposed=False):
    def arguments(g):
        c, o, groups, dtype = g.random.randint(1, 2), g.random.randint(1, 2), g.random.choice([1, 1, 2]), g.floating()
        x = g.of([g.random.randint(1, 2), c * groups, *g.integers(1, 4, dims)], dtype)
        kernel = g.integers(1, 2, dims)
        w = g.of([c * groups, o, *kernel] if transposed else [o * groups, c, *kernel], dtype)
        bias = g.of([o * groups], dtype) if g.flag() else None
        stride, padding, dilation = g.integers(1, 2, dims), g.integers(0, 1, dims), g.integers(1, 2, dims)
        return [x, w, bias, stride, padding, [0] * dims, groups, dilation] if transposed else [x, w, bias, stride, padding, dilation, groups]
    return arguments


recipe("pad", pad)
recipe("conv1d", convolution(1))
recipe("conv3d", convolution(3))
recipe("conv2d", lambda g: convolution(2)(g)[:5])
recipe("conv_transpose1d", convolution(1, True))
recipe("conv_transpose2d.input", convolution(2, True))
recipe("max_pool1d", lambda g: [line(g), [g.random.randint(1, 2)], [g.random.randint(1, 2)], [0], [1], g.flag()])
recipe("avg_pool1d", lambda g: [line(g), [g.random.randint(1, 2)], [g.random.randint(1, 2)], [0], g.flag(), g.flag()])
recipe("adaptive_avg_pool1d", lambda g: [line(g), [g.random.randint(1, 4)]])
recipe("adaptive_max_pool2d", lambda g: [g.fresh(g.floating(), [1, 2, 4, 4], [n / 8 for n in g.random.sample(range(32), 32)]), g.integers(1, 4, 2)])
recipe("pixel_shuffle", lambda g: [g.of([g.random.randint(1, 2), 4 * g.random.randint(1, 2), *g.integers(1, 3, 2)], g.floating()), 2])
recipe("pixel_unshuffle", lambda g: [g.of([g.random.randint(1, 2), g.random.randint(1, 2), *(2 * n for n in g.integers(1, 2, 2))], g.floating()), 2])


def batch_norm(g):
    c = g.random.randint(1, 3)
    x = g.of([g.random.randint(2, 3), c, *[g.random.randint(1, 3) for _ in range(g.random.randint(0, 2))]], g.floating())
    dtype, training = g.dtype_of(x), g.flag()
    running = [g.fresh(dtype, [c], [0.25] * c, False), g.fresh(dtype, [c], [1.5] * c, False)] if g.flag() or not training else [None, None]
    return [x, optional(g, [c], dtype), optional(g, [c], dtype), *running, training, 0.1, 0.5]


recipe("batch_norm", batch_norm)


def signs(g, shape):
    count = 1
    for size in shape: count *= size
    return g.fresh("float32", shape, [g.random.choice([1, -1]) for _ in range(count)], False)


def rows(g): return [g.random.randint(1, 3), g.random.randint(1, 4)]


def margin(*more):
    return lambda g: (lambda x: [x, *[g.like(x) for _ in more], signs(g, g.shape_of(x)), g.random.choice([0.0, 0.5]), reduction(g)])(g.any("float32"))


def reduction(g): return Word(g.random.choice(REDUCTIONS))


def part(g, shape, dtype):
    """Fractions between 0 and 1."""
    count = 1
    for size in shape: count *= size
    return g.fresh(dtype, shape, [g.random.randint(1, 7) / 8 for _ in range(count)])


recipe("hinge_embedding_loss", margin())
recipe("margin_ranking_loss", margin("other"))
recipe("soft_margin_loss", lambda g: (lambda x: [x, signs(g, g.shape_of(x)), reduction(g)])(g.any("float32")))
recipe("cosine_embedding_loss", lambda g: (lambda shape: [g.of(shape, "float32"), g.of(shape, "float32"), signs(g, shape[:1]), 0.25, reduction(g)])(rows(g)))
recipe("triplet_margin_loss", lambda g: (lambda shape: [*(g.of(shape, "float64") for _ in range(3)), 1.0, 2.0, 1e-6, g.flag(), reduction(g)])(rows(g)))
recipe("poisson_nll_loss", lambda g: (lambda x: [x, part(g, g.shape_of(x), g.dtype_of(x)), True, g.flag(), 1e-8, reduction(g)])(g.any("floating")))
recipe("gaussian_nll_loss", lambda g: (lambda x: [x, g.like(x), part(g, g.shape_of(x), g.dtype_of(x)), g.flag(), 1e-6, reduction(g)])(g.any("floating")))
recipe("binary_cross_entropy", lambda g: (lambda shape: [part(g, shape, "float64"), part(g, shape, "float64"), None, reduction(g)])(g.shape()))


def padded_bag(g):
    args = embedding_bag(g)
    return [*args[:3], False, *args[3:5], False, g.random.choice([None, 0])]


recipe("embedding_bag.padding_idx", padded_bag)

# Not drawn: sparse tensors (coalesce, to_sparse, to_dense, values, sparse_coo_tensor, the sparse forms of embedding and embedding_bag), which have
# properties of their own; and to.device, since PyTorch has none of the devices of tests.

# Changes in place


def changed(names, arguments):
    for name in names.split(): CHANGES[name] = arguments


def broadcast(g, x):
    """A value that broadcasts to another, seldom with a gradient."""
    shape = [1 if g.chance(0.2) else size for size in g.shape_of(x)]
    if g.chance(0.2): shape = shape[g.random.randint(0, len(shape)):]
    dtype = g.dtype_of(x) if g.chance(0.7) else None
    return g.fresh(dtype, shape, grad=None if g.chance(0.3) else False)


changed("neg_ abs_ relu_ exp_ sqrt_ sigmoid_ tanh_ round_ zero_", lambda g, x: [])
changed("add_ sub_", lambda g, x: [broadcast(g, x), g.number()] if g.chance(0.4) else [broadcast(g, x)] if g.chance(0.6) else [g.number()])
changed("mul_ div_ pow_", lambda g, x: [broadcast(g, x)] if g.chance(0.6) else [g.number()])
changed("clamp_", lambda g, x: g.random.choice([[g.number(), g.number()], [None, g.number()], [g.number(), None]]))
changed("addcmul_ addcdiv_", lambda g, x: [broadcast(g, x), broadcast(g, x), g.number()])
changed("lerp_", lambda g, x: [broadcast(g, x), g.number() if g.flag() else broadcast(g, x)])
changed("fill_", lambda g, x: [g.number()])
changed("copy_", lambda g, x: [broadcast(g, x)])
