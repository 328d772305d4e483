"""What is known of operators: which are exact, and which return views."""


def named(words): return {"aten::" + word for word in words.split()}


# The results are exact: one of the inputs, or an integer.
EXACT = named(
    "abs neg sign floor ceil round trunc relu clamp clamp_min clamp_max maximum minimum max min amax amin hardtanh where masked_fill "
    "masked_select cat stack clone to detach roll flip tril triu gather scatter index_select repeat max_pool2d max_pool2d_with_indices "
    "embedding fill zero copy reshape flatten linalg_none broadcast_tensors sort argsort topk kthvalue median _unique2 index index_copy index_fill "
    "masked_scatter pad pixel_shuffle pixel_unshuffle select_scatter take_along_dim meshgrid diag repeat_interleave nan_to_num hardshrink "
    "threshold relu6 count_nonzero isclose max_pool1d adaptive_max_pool2d dropout")

# The results are exact where all inputs are small multiples of 1/8; where they are not, terms may cancel.
ON_GRID = named(
    "add sub mul sum mm bmm mv dot matmul linear cumsum scatter_add index_add addcmul square mse_loss l1_loss conv2d embedding_bag "
    "linalg_multi_dot mean var std lerp prod addcdiv cross_entropy_loss nll_loss nll_loss_nd layer_norm group_norm batch_norm avg_pool2d "
    "adaptive_avg_pool2d norm smooth_l1_loss huber_loss kl_div binary_cross_entropy binary_cross_entropy_with_logits logsumexp log_softmax "
    "softmax remainder fmod addmm addmv baddbmm conv1d conv3d conv_transpose1d conv_transpose2d tensordot einsum outer trace diff prelu avg_pool1d "
    "adaptive_avg_pool1d index_put hinge_embedding_loss margin_ranking_loss frac cumprod hardsigmoid hardswish")

# The strides of the results are PyTorch's where those of the first argument are.
VIEWS = named(
    "transpose.int t view unsqueeze squeeze squeeze.dim expand narrow select.int split.Tensor detach permute movedim.intlist slice.Tensor "
    "split_with_sizes chunk unbind.int diagonal expand_as view_as broadcast_to unflatten.int")
