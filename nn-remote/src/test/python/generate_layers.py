"""Writes layers.safetensors, what PyTorch's layers compute, for LayerReferenceTest.

    python3 generate_layers.py ../resources/layers.safetensors

Made with PyTorch 1.13. Each case has, under its name: the state before (state.PATH), inputs (in.I),
outputs (out.I), the gradients that are given to them (seed.I), those of parameters (grad.PATH) and
inputs (gradin.I), and buffers that a forward pass changed (after.PATH). The metadata has what is
printed. All fractions are float64.
"""

import json
import struct
import sys

import torch
from torch import nn

torch.manual_seed(20)
TENSORS = {}
TEXTS = {}


def ints(*numbers):
    return torch.tensor(numbers)


def real(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [] if value is None else [t for part in value for t in flat(part)]


def case(name, module, *inputs, call=None, grads=True, randomize=True, train=True):
    module = module.double()
    module.train(train)
    if randomize:
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn_like(parameter) * 0.5)
    for path, tensor in module.state_dict().items():
        TENSORS[f"{name}/state.{path}"] = tensor.clone()
    before = {path: tensor.clone() for path, tensor in module.named_buffers()}
    inputs = [i.clone().requires_grad_(i.is_floating_point()) for i in inputs]
    outputs = flat((call or (lambda m, *i: m(*i)))(module, *inputs))
    record(f"{name}/in.", inputs)
    record(f"{name}/out.", outputs)
    if grads:
        wanted = [o for o in outputs if o.requires_grad]
        seeds = [torch.randn_like(o) for o in wanted]
        record(f"{name}/seed.", seeds)
        torch.autograd.backward(wanted, seeds)
        for path, parameter in module.named_parameters():
            if parameter.grad is not None:
                TENSORS[f"{name}/grad.{path}"] = parameter.grad.to_dense()
        for i, tensor in enumerate(inputs):
            if tensor.grad is not None:
                TENSORS[f"{name}/gradin.{i}"] = tensor.grad
    for path, tensor in module.named_buffers():
        if not torch.equal(tensor, before[path]):
            TENSORS[f"{name}/after.{path}"] = tensor.clone()
    TEXTS[name] = repr(module)


def record(prefix, tensors):
    for i, tensor in enumerate(tensors):
        TENSORS[f"{prefix}{i}"] = tensor.detach().clone()


def plain_layers():
    case("linear", nn.Linear(3, 4), real(2, 3))
    case("linear_no_bias", nn.Linear(3, 4, bias=False), real(2, 5, 3))
    case("bilinear", nn.Bilinear(3, 4, 2), real(5, 3), real(5, 4))
    case("conv2d", nn.Conv2d(2, 3, 3), real(2, 2, 5, 4))
    case("conv2d_options",
         nn.Conv2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 2), dilation=(1, 2), groups=2, bias=False),
         real(2, 4, 6, 5))
    case("layer_norm", nn.LayerNorm([3, 4]), real(2, 3, 4))
    case("layer_norm_plain", nn.LayerNorm(4, eps=0.001, elementwise_affine=False), real(2, 3, 4))
    case("group_norm", nn.GroupNorm(2, 4), real(2, 4, 3))
    case("dropout_eval", nn.Dropout(0.3), real(2, 3), train=False)
    case("functions",
         nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.GELU(), nn.GELU("tanh"), nn.Tanh(), nn.Sigmoid(), nn.SiLU(),
                       nn.LeakyReLU(0.2), nn.Identity(), nn.Softmax(dim=1), nn.LogSoftmax(dim=-1)),
         real(2, 3))
    case("images",
         nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.MaxPool2d((3, 2), stride=(2, 1), padding=(1, 0)),
                       nn.AvgPool2d(2, stride=1), nn.AvgPool2d((1, 2), count_include_pad=False),
                       nn.AdaptiveAvgPool2d((2, 3)), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                       nn.Sequential(nn.Linear(2, 2), nn.Flatten(0, -1))),
         real(2, 1, 8, 9))


def batch_norms():
    case("batch_norm1d", nn.BatchNorm1d(3), real(4, 3))
    case("batch_norm1d_sequence", nn.BatchNorm1d(3, momentum=0.3, affine=False), real(4, 3, 2))
    case("batch_norm2d", nn.BatchNorm2d(2, eps=0.01), real(3, 2, 4, 2))
    case("batch_norm2d_untracked", nn.BatchNorm2d(2, track_running_stats=False), real(3, 2, 4, 2), train=False)
    case("batch_norm2d_cumulative", nn.BatchNorm2d(2, momentum=None), real(3, 2, 2, 2), real(3, 2, 2, 2),
         call=lambda m, a, b: (m(a), m(b)))
    trained = nn.BatchNorm2d(2)
    trained(torch.randn(3, 2, 4, 2) * 2 + 1)
    case("batch_norm2d_eval", trained, real(3, 2, 4, 2), train=False)


def tables():
    case("embedding", nn.Embedding(5, 3), torch.tensor([[0, 3], [3, 4]]))
    case("embedding_options", nn.Embedding(5, 3, padding_idx=-1, scale_grad_by_freq=True),
         torch.tensor([[0, 3, 4], [3, 4, 1]]))
    case("embedding_sparse", nn.Embedding(5, 3, padding_idx=1, sparse=True), torch.tensor([[0, 1], [3, 3]]))
    shortened = nn.Embedding(5, 3, max_norm=0.5, norm_type=1.0).double()
    case("embedding_max_norm", shortened, ints(0, 3, 3),
         call=lambda m, i: (m(i), m.weight.detach()))
    indices, offsets = ints(1, 2, 4, 0, 4, 3, 2), ints(0, 3, 3)
    for mode in ("sum", "mean", "max"):
        case(f"bag_{mode}", nn.EmbeddingBag(5, 3, mode=mode), indices, offsets)
        case(f"bag_{mode}_padding", nn.EmbeddingBag(5, 3, mode=mode, padding_idx=4), indices, offsets)
    case("bag_rows", nn.EmbeddingBag(5, 3), indices[:6].view(2, 3))
    case("bag_weighted", nn.EmbeddingBag(5, 3, mode="sum", include_last_offset=True), indices,
         ints(0, 2, 7), real(7), call=lambda m, i, o, w: m(i, o, w))
    # PyTorch 1.13 takes the count of another index when an index that is not the last one comes twice.
    case("bag_frequency", nn.EmbeddingBag(5, 3, mode="sum", scale_grad_by_freq=True), ints(1, 2, 4, 0, 4, 3, 4), offsets)
    for mode in ("sum", "mean"):
        case(f"bag_{mode}_sparse", nn.EmbeddingBag(5, 3, mode=mode, sparse=True, padding_idx=4), indices, offsets)
    case("bag_rows_sparse", nn.EmbeddingBag(5, 3, mode="mean", sparse=True), indices[:6].view(2, 3))
    case("bag_weighted_sparse",
         nn.EmbeddingBag(5, 3, mode="sum", sparse=True, padding_idx=2, include_last_offset=True), indices,
         ints(0, 2, 7), real(7), call=lambda m, i, o, w: m(i, o, w))
    case("bag_max_norm", nn.EmbeddingBag(5, 3, mode="mean", max_norm=0.7), indices, offsets)


def recurrent_layers():
    case("lstm", nn.LSTM(3, 4), real(5, 2, 3))
    case("lstm_options",
         nn.LSTM(3, 4, num_layers=2, bias=False, batch_first=True, dropout=0.3, bidirectional=True),
         real(2, 5, 3), real(4, 2, 4), real(4, 2, 4), call=lambda m, x, h, c: m(x, (h, c)), train=False)
    case("lstm_single", nn.LSTM(3, 2, bidirectional=True), real(4, 3))
    case("gru", nn.GRU(3, 4, num_layers=2), real(5, 2, 3))
    case("gru_options", nn.GRU(3, 4, batch_first=True, bidirectional=True), real(2, 5, 3), real(2, 2, 4))
    case("rnn", nn.RNN(3, 4), real(5, 2, 3))
    case("rnn_relu", nn.RNN(3, 4, num_layers=2, nonlinearity="relu", bidirectional=True), real(5, 2, 3),
         real(4, 2, 4))


def attention():
    def attend(**options):
        return lambda m, q, k, v: m(q, k, v, **options)

    same = lambda: (real(4, 2, 6), real(5, 2, 6), real(5, 2, 6))
    case("attention", nn.MultiheadAttention(6, 2), *same())
    case("attention_no_bias", nn.MultiheadAttention(6, 3, bias=False, batch_first=True), real(2, 4, 6), real(2, 5, 6),
         real(2, 5, 6), call=attend(need_weights=False))
    case("attention_sizes", nn.MultiheadAttention(6, 2, kdim=3, vdim=5), real(4, 2, 6), real(5, 2, 3), real(5, 2, 5),
         call=attend(average_attn_weights=False))
    later = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
    case("attention_causal", nn.MultiheadAttention(6, 2), real(4, 2, 6), real(4, 2, 6), real(4, 2, 6),
         call=attend(attn_mask=later))
    padding = torch.tensor([[False, False, True, False, True], [False, True, False, False, False]])
    added = real(4, 4, 5)
    TENSORS["attention_masks/mask"] = added
    case("attention_masks", nn.MultiheadAttention(6, 2), *same(),
         call=attend(attn_mask=added, key_padding_mask=padding))
    case("attention_single", nn.MultiheadAttention(6, 2), real(4, 6), real(5, 6), real(5, 6))


def functional():
    names = ("linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    TENSORS["functional/gains"] = torch.tensor([nn.init.calculate_gain(n) for n in names], dtype=torch.float64)
    a, b = real(3, 4), real(3, 4)
    TENSORS["functional/a"], TENSORS["functional/b"] = a, b
    TENSORS["functional/normalize"] = nn.functional.normalize(a, p=3.0, dim=0)
    TENSORS["functional/cosine"] = nn.functional.cosine_similarity(a, b, dim=1)
    TENSORS["functional/one_hot"] = nn.functional.one_hot(ints(0, 2, 1).view(1, 3), 4)


def more_functions():
    case("more_functions",
         nn.Sequential(nn.Linear(3, 4), nn.Softplus(), nn.Softplus(0.5, 10), nn.ELU(0.7), nn.SELU(), nn.CELU(0.5), nn.Hardtanh(-0.6, 0.9), nn.ReLU6(),
                       nn.Hardswish(), nn.LogSigmoid(), nn.Mish(), nn.Softsign(), nn.Tanhshrink(), nn.Softshrink(0.01), nn.Hardshrink(0.001),
                       nn.Threshold(0.1, 0.2), nn.PReLU(), nn.GLU(1), nn.Softmin(dim=1)),
         real(2, 3))
    case("prelu_channels", nn.PReLU(3, 0.1), real(2, 3, 2), randomize=False)
    case("space", nn.Sequential(nn.PixelShuffle(2), nn.ZeroPad2d((1, 2, 0, 1)), nn.ReflectionPad2d((1, 0, 2, 1)), nn.ReplicationPad2d(1),
                                nn.AdaptiveMaxPool2d((4, 3)), nn.PixelUnshuffle(1), nn.Unflatten(1, (2, 1))), real(1, 8, 2, 3))
    case("rows", nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.MaxPool1d(2), nn.AvgPool1d(2, 1), nn.AdaptiveAvgPool1d(3)), real(2, 2, 9))
    case("upsample", nn.Sequential(nn.Upsample(scale_factor=2.0, mode="bilinear"), nn.Upsample(scale_factor=1.5, mode="nearest")), real(1, 2, 3, 2))
    case("upsample_corners", nn.Sequential(), real(1, 2, 2, 3, 2), call=lambda m, x: nn.Upsample(scale_factor=2.5, mode="trilinear", align_corners=True)(x))


def more_convolutions():
    case("conv1d_options", nn.Conv1d(4, 6, 3, stride=2, padding=2, dilation=2, groups=2, bias=False), real(2, 4, 9))
    case("conv3d", nn.Conv3d(2, 3, 2), real(2, 2, 3, 4, 3))
    case("conv3d_options", nn.Conv3d(2, 4, (2, 1, 3), stride=(1, 2, 1), padding=(1, 0, 2), dilation=(2, 1, 1), groups=2), real(1, 2, 4, 3, 3))
    case("conv_transpose1d", nn.ConvTranspose1d(3, 2, 3, stride=2, padding=1, output_padding=1), real(2, 3, 4))
    case("conv_transpose2d", nn.ConvTranspose2d(2, 3, 3), real(2, 2, 3, 4))
    case("conv_transpose2d_options",
         nn.ConvTranspose2d(4, 6, (3, 2), stride=(2, 1), padding=(1, 0), output_padding=(1, 0), groups=2, bias=False, dilation=(1, 2)),
         real(1, 4, 3, 3))


def more_norms():
    case("batch_norm3d", nn.BatchNorm3d(2), real(3, 2, 2, 2, 2))
    case("instance_norm1d", nn.InstanceNorm1d(3), real(2, 3, 5))
    case("instance_norm2d", nn.InstanceNorm2d(2, eps=0.01, affine=True), real(2, 2, 3, 4))
    case("instance_norm3d", nn.InstanceNorm3d(2, affine=True), real(1, 2, 2, 3, 2))


def losses():
    def all_of(*made):
        return lambda m, *i: tuple(loss(*i) for loss in made)

    x, target = real(4, 3), real(4, 3)
    case("losses_differences", nn.Sequential(), x, target, call=all_of(
        nn.MSELoss(), nn.MSELoss(reduction="none"), nn.L1Loss(reduction="sum"), nn.SmoothL1Loss(beta=0.5), nn.HuberLoss(delta=0.7)))
    case("losses_logits", nn.Sequential(), x, torch.rand(4, 3, dtype=torch.float64), call=all_of(
        nn.BCEWithLogitsLoss(), nn.BCEWithLogitsLoss(reduction="sum", pos_weight=torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64))))
    case("losses_classes", nn.Sequential(), x, ints(0, 2, -100, 1), call=all_of(
        nn.CrossEntropyLoss(), nn.CrossEntropyLoss(label_smoothing=0.1, reduction="none"),
        lambda x, t: nn.NLLLoss(torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64))(x, t)))
    case("losses_probabilities", nn.Sequential(), torch.rand(4, 3, dtype=torch.float64), torch.rand(4, 3, dtype=torch.float64).clamp(0.1, 0.9), call=all_of(
        lambda x, t: nn.BCELoss()(x, t), lambda x, t: nn.KLDivLoss(reduction="batchmean")(x, t.detach()), lambda x, t: nn.PoissonNLLLoss()(x, t.detach())))
    case("losses_signs", nn.Sequential(), x, ints(1, -1, 1, -1).view(4, 1).expand(4, 3).contiguous(), call=all_of(
        nn.HingeEmbeddingLoss(), nn.SoftMarginLoss(reduction="sum")))
    case("losses_pairs", nn.Sequential(), x, target, ints(1, -1, 1, -1), call=lambda m, a, b, t: (
        nn.CosineEmbeddingLoss(0.1)(a, b, t), nn.MarginRankingLoss(0.2)(a, b, t.view(4, 1)), nn.TripletMarginLoss(swap=True)(a, b, a * 0.5 + 1),
        nn.GaussianNLLLoss()(a, b, a * a + 0.1), nn.CosineSimilarity()(a, b)))


def transformers():
    case("encoder_layer", nn.TransformerEncoderLayer(4, 2, 5, 0.0), real(3, 2, 4))
    case("encoder_layer_norm_first", nn.TransformerEncoderLayer(4, 2, 5, 0.0, "gelu", batch_first=True, norm_first=True), real(2, 3, 4))
    later = torch.triu(torch.ones(3, 3, dtype=torch.bool), 1)
    case("encoder", nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 5, 0.0), 2, nn.LayerNorm(4)), real(3, 2, 4), call=lambda m, x: m(x, later))
    case("decoder_layer", nn.TransformerDecoderLayer(4, 2, 5, 0.0), real(3, 2, 4), real(5, 2, 4), call=lambda m, x, y: m(x, y, tgt_mask=later))
    case("decoder", nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 5, 0.0, norm_first=True, batch_first=True), 2), real(2, 3, 4), real(2, 5, 4))


def write(path):
    header, data = {"__metadata__": TEXTS}, bytearray()
    for name, tensor in TENSORS.items():
        kind = {torch.float64: "F64", torch.int64: "I64"}[tensor.dtype]
        raw = tensor.contiguous().numpy().tobytes()
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


plain_layers()
batch_norms()
tables()
recurrent_layers()
attention()
functional()
more_functions()
more_convolutions()
more_norms()
losses()
transformers()
write(sys.argv[1])
