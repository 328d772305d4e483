package org.gradwire.tensor;

import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.tensor.kernel.Matrices;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Offers the operators on tensors to remote callers. Made by {@link java.util.ServiceLoader}. */
public final class TensorOperators implements OperatorProvider {

    /** For {@link java.util.ServiceLoader}. */
    public TensorOperators() {}

    static List<OperatorRow> rows() {
        return Stream.of(
                        ArithmeticRows.ALL,
                        ComparisonRows.ALL,
                        SelectionRows.ALL,
                        UnaryRows.ALL,
                        ActivationRows.ALL,
                        BoundRows.ALL,
                        CombinationRows.ALL,
                        ExtremeRows.ALL,
                        StatisticsRows.ALL,
                        ShapeRows.ALL,
                        ViewRows.ALL,
                        ArrangementRows.ALL,
                        IndexRows.ALL,
                        ReductionRows.ALL,
                        MatrixRows.ALL,
                        NetworkRows.ALL,
                        PoolingRows.ALL,
                        NormalizationRows.ALL,
                        LossRows.ALL)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Begins to load the native library for matrix products, so that no call has to wait for it.
     */
    @Override
    public Collection<? extends Operator> operators() {
        Thread.ofPlatform().daemon().name("gradwire-load-blas").start(Matrices::prepare);
        return rows();
    }
}
