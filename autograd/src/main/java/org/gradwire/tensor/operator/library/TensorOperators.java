package org.gradwire.tensor.operator.library;

import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.tensor.dispatch.OperatorHandle;
import org.gradwire.tensor.dispatch.OperatorLibrary;
import org.gradwire.tensor.kernel.matrix.MatrixMultiplication;
import org.gradwire.tensor.operator.OperatorRow;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Offers the operators on tensors, to remote callers and by name. Made by {@link ServiceLoader}.
 */
public final class TensorOperators implements OperatorProvider, OperatorLibrary {
    private static final Map<String, RowGroup> BY_NAME = byName();

    /** For {@link ServiceLoader}. */
    public TensorOperators() {}

    private static Map<String, RowGroup> byName() {
        Map<String, RowGroup> groups = new HashMap<>();
        for (RowGroup group : OperatorIndex.GROUPS) {
            group.names().forEach(name -> groups.put(name, group));
        }
        return groups;
    }

    public static List<OperatorRow> rows() {
        return OperatorIndex.GROUPS.stream().flatMap(group -> group.rows().stream()).toList();
    }

    @Override
    public @Nullable OperatorHandle find(String name) {
        RowGroup group = BY_NAME.get(name);
        return group == null ? LocalFunctions.BY_NAME.get(name) : group.row(name);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Begins to load the native library for matrix products, so that no call has to wait for it.
     */
    @Override
    public Collection<? extends Operator> operators() {
        Thread.ofPlatform()
                .daemon()
                .name("gradwire-load-blas")
                .start(MatrixMultiplication::prepare);
        return OperatorIndex.GROUPS.stream().flatMap(group -> group.operators().stream()).toList();
    }
}
