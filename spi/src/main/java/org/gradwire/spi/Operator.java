package org.gradwire.spi;

import org.gradwire.rpc.FunctionSchema;
import org.jspecify.annotations.Nullable;

/** A builtin operator: a trusted function with the same short name on every worker. */
public interface Operator {

    /** {@return the full name with the overload, such as {@code aten::add.Tensor}} */
    String name();

    /** {@return the signature, named without the overload: {@code aten::add}} */
    FunctionSchema schema();

    /** {@return the boxed types of the parameters} */
    Class<?>[] parameterTypes();

    /**
     * Apply the operator.
     *
     * @param args one for each parameter, of its type
     */
    @Nullable Object apply(@Nullable Object[] args);

    /**
     * {@return whether it takes only microseconds with these arguments, so that it may run on a
     * poller}
     */
    boolean runsOnPoller(@Nullable Object[] args);

    /**
     * {@return whether it retains neither its arguments nor anything it makes, except its result
     * and the records of an autograd graph: see {@link org.gradwire.rpc.NonRetaining}}
     */
    default boolean nonRetaining() {
        return false;
    }
}
