package org.gradwire.spi;

import org.gradwire.rpc.FunctionSchema;
import org.jspecify.annotations.Nullable;

/** A builtin operator: a function that is known by a short name on every worker, and trusted. */
public interface Operator {

    /** {@return the full name with the overload, such as {@code aten::add.Tensor}} */
    String name();

    /** {@return the signature, under the name without overload: {@code aten::add}} */
    FunctionSchema schema();

    /** {@return types of the parameters, boxed} */
    Class<?>[] parameterTypes();

    /**
     * Apply the operator.
     *
     * @param args one for each parameter, of its type
     */
    @Nullable Object apply(@Nullable Object[] args);

    /**
     * {@return whether applying it to these arguments takes so little time that it may be done on a
     * poller: some microseconds}
     */
    boolean light(@Nullable Object[] args);

    /**
     * {@return whether applying it keeps nothing of its arguments and of what it makes, but for the
     * result and what an autograd graph records: see {@link org.gradwire.rpc.Scoped}}
     */
    default boolean scoped() {
        return false;
    }
}
