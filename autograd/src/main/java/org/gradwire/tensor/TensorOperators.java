package org.gradwire.tensor;

import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.tensor.kernel.Matrices;

import java.util.Collection;
import java.util.List;

/** Offers the operators on tensors to remote callers. Made by {@link java.util.ServiceLoader}. */
public final class TensorOperators implements OperatorProvider {
    private static final List<RowGroup> GROUPS =
            List.of(
                    new RowGroup(
                            () -> ArithmeticRows.ALL,
                            """
                            add.Tensor add.Scalar sub.Tensor sub.Scalar mul.Tensor mul.Scalar
                            div.Tensor div.Scalar neg pow.Tensor_Scalar exp log cos sin sqrt
                            relu tanh sigmoid\
                            """),
                    new RowGroup(
                            () -> ComparisonRows.ALL,
                            """
                            eq.Tensor ne.Tensor lt.Tensor le.Tensor gt.Tensor ge.Tensor
                            eq.Scalar ne.Scalar lt.Scalar le.Scalar gt.Scalar ge.Scalar isnan
                            isinf isfinite logical_and logical_or logical_xor logical_not all
                            all.dim any any.dim\
                            """),
                    new RowGroup(
                            () -> SelectionRows.ALL,
                            """
                            where.self where.ScalarOther where.ScalarSelf where.Scalar
                            masked_fill.Scalar masked_fill.Tensor masked_select nonzero\
                            """),
                    new RowGroup(
                            () -> UnaryRows.ALL,
                            """
                            abs sign square reciprocal rsqrt expm1 tan log1p log2 log10 asin
                            acos atan sinh cosh erf floor ceil round trunc\
                            """),
                    new RowGroup(
                            () -> ActivationRows.ALL,
                            """
                            gelu silu softplus leaky_relu elu hardtanh\
                            """),
                    new RowGroup(
                            () -> BoundRows.ALL,
                            """
                            clamp clamp_min clamp_max maximum minimum\
                            """),
                    new RowGroup(
                            () -> CombinationRows.ALL,
                            """
                            pow.Tensor_Tensor pow.Scalar atan2 remainder.Tensor remainder.Scalar
                            fmod.Tensor fmod.Scalar lerp.Scalar lerp.Tensor addcmul addcdiv\
                            """),
                    new RowGroup(
                            () -> ExtremeRows.ALL,
                            """
                            max min max.dim min.dim amax amin argmax argmin\
                            """),
                    new RowGroup(
                            () -> StatisticsRows.ALL,
                            """
                            var var.correction std std.correction norm.Scalar norm.ScalarOpt_dim
                            prod prod.dim_int cumsum logsumexp\
                            """),
                    new RowGroup(
                            () -> ShapeRows.ALL,
                            """
                            transpose.int t view reshape unsqueeze squeeze.dim expand narrow
                            select.int stack cat split.Tensor clone to.dtype to.device detach\
                            """),
                    new RowGroup(
                            () -> ViewRows.ALL,
                            """
                            permute movedim.intlist slice.Tensor squeeze flatten.using_ints
                            unflatten.int split_with_sizes chunk unbind.int diagonal expand_as
                            view_as broadcast_to broadcast_tensors\
                            """),
                    new RowGroup(
                            () -> ArrangementRows.ALL,
                            """
                            repeat flip roll tril triu\
                            """),
                    new RowGroup(
                            () -> IndexRows.ALL,
                            """
                            index_select gather scatter.src scatter.value scatter_add index_add\
                            """),
                    new RowGroup(
                            () -> ReductionRows.ALL,
                            """
                            sum sum.dim_IntList mean mean.dim softmax.int log_softmax.int\
                            """),
                    new RowGroup(
                            () -> MatrixRows.ALL,
                            """
                            mm bmm mv dot matmul linear linalg_multi_dot\
                            """),
                    new RowGroup(
                            () -> NetworkRows.ALL,
                            """
                            embedding embedding_bag embedding_bag.padding_idx conv2d
                            conv2d.groups\
                            """),
                    new RowGroup(
                            () -> PoolingRows.ALL,
                            """
                            max_pool2d max_pool2d_with_indices avg_pool2d adaptive_avg_pool2d\
                            """),
                    new RowGroup(
                            () -> NormalizationRows.ALL,
                            """
                            layer_norm group_norm batch_norm dropout\
                            """),
                    new RowGroup(
                            () -> LossRows.ALL,
                            """
                            nll_loss nll_loss_nd cross_entropy_loss cross_entropy_loss.weight
                            mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy
                            binary_cross_entropy_with_logits kl_div\
                            """),
                    new RowGroup(
                            () -> OrderRows.ALL,
                            """
                            sort argsort topk kthvalue median.dim cumprod _unique2\
                            """),
                    new RowGroup(
                            () -> ShrinkRows.ALL,
                            """
                            log_sigmoid mish hardswish hardsigmoid relu6 selu celu
                            softsign tanhshrink softshrink hardshrink threshold glu prelu\
                            """),
                    new RowGroup(
                            () -> CompositeRows.ALL,
                            """
                            isclose count_nonzero.dim_IntList exp2 frac erfc logaddexp
                            xlogy.Tensor nan_to_num diff trace dist cdist\
                            """),
                    new RowGroup(
                            () -> ContractionRows.ALL,
                            """
                            outer addmm addmv baddbmm tensordot einsum\
                            """),
                    new RowGroup(
                            () -> PlacementRows.ALL,
                            """
                            index.Tensor index_put index_fill.int_Scalar index_copy
                            masked_scatter select_scatter take_along_dim
                            repeat_interleave.self_int\
                            """),
                    new RowGroup(
                            () -> PaddingRows.ALL,
                            """
                            pad diag meshgrid.indexing pixel_shuffle pixel_unshuffle\
                            """),
                    new RowGroup(
                            () -> ConvolutionRows.ALL,
                            """
                            conv1d conv3d conv_transpose2d.input conv_transpose1d
                            max_pool1d avg_pool1d adaptive_avg_pool1d adaptive_max_pool2d\
                            """),
                    new RowGroup(
                            () -> MarginLossRows.ALL,
                            """
                            margin_ranking_loss hinge_embedding_loss soft_margin_loss
                            cosine_embedding_loss triplet_margin_loss poisson_nll_loss
                            gaussian_nll_loss\
                            """),
                    new RowGroup(
                            () -> SparseRows.ALL,
                            """
                            sparse_coo_tensor.indices_size to_sparse to_sparse.sparse_dim to_dense
                            coalesce values embedding.sparse embedding_bag.sparse\
                            """));

    /** For {@link java.util.ServiceLoader}. */
    public TensorOperators() {}

    static List<RowGroup> groups() {
        return GROUPS;
    }

    static List<OperatorRow> rows() {
        return GROUPS.stream().flatMap(group -> group.rows().stream()).toList();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Begins to load the native library for matrix products, so that no call has to wait for it.
     */
    @Override
    public Collection<? extends Operator> operators() {
        Thread.ofPlatform().daemon().name("gradwire-load-blas").start(Matrices::prepare);
        return GROUPS.stream().flatMap(group -> group.operators().stream()).toList();
    }
}
