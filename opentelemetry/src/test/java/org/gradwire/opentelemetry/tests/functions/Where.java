package org.gradwire.opentelemetry.tests.functions;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/** An operator that a waiting thread may run for a peer; it returns the name of its thread. */
public final class Where implements OperatorProvider {
    private static final String NAME = "tests::where";

    /** For {@link java.util.ServiceLoader}. */
    public Where() {}

    @Builtin(NAME)
    public static String where() {
        return Thread.currentThread().getName();
    }

    @Override
    public Collection<? extends Operator> operators() {
        return List.of(new Named());
    }

    private static final class Named implements Operator {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public FunctionSchema schema() {
            return new FunctionSchema(NAME, List.of(), "String");
        }

        @Override
        public Class<?>[] parameterTypes() {
            return new Class<?>[0];
        }

        @Override
        public Object apply(@Nullable Object[] args) {
            return where();
        }

        @Override
        public boolean runsOnPoller(@Nullable Object[] args) {
            return true;
        }
    }
}
