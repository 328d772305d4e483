package org.gradwire.runtime.function;

import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

/** An operator with which a worker calls others on behalf of its caller. */
public interface RelayedOperator extends Operator {

    /**
     * Check that the workers on whose behalf the call is made may call this operator here, and add
     * the caller to them, before the operator runs.
     *
     * @param from the caller
     * @throws org.gradwire.rpc.RpcException when one of them may not
     */
    void admit(int from, FunctionLookup permissions, @Nullable Object[] args);
}
