package org.gradwire.runtime.function;

import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;

/** An operator that acts for its caller on other workers, or after its end. */
public interface CallerOperator extends Operator {

    /**
     * The worker that calls the operator.
     *
     * @param id of the caller
     * @param permissions of all workers
     * @param threads run tasks that count as calls of the caller
     */
    record Caller(int id, FunctionLookup permissions, Executor threads) {}

    /**
     * Apply the operator for a caller.
     *
     * @param args one for each parameter, of its type
     */
    @Nullable Object apply(Caller caller, @Nullable Object[] args);

    @Override
    default @Nullable Object apply(@Nullable Object[] args) {
        throw new UnsupportedOperationException(name() + " needs a caller");
    }

    /** {@return false: it waits, or runs code of the program} */
    @Override
    default boolean runsOnPoller(@Nullable Object[] args) {
        return false;
    }
}
