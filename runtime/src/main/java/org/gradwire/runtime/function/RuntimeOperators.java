package org.gradwire.runtime.function;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/** The operators that references use. */
public final class RuntimeOperators implements OperatorProvider {
    private static final String TYPE_NAME = "gradwire::type_name";

    RuntimeOperators() {}

    /** {@return the full name of the class of a value} */
    @Builtin(TYPE_NAME)
    public static String typeName(@Nullable Object value) {
        return value == null ? "null" : value.getClass().getName();
    }

    @Override
    public Collection<? extends Operator> operators() {
        return List.of(new TypeName());
    }

    private static final class TypeName implements Operator {
        @Override
        public String name() {
            return TYPE_NAME;
        }

        @Override
        public FunctionSchema schema() {
            return new FunctionSchema(
                    TYPE_NAME, List.of(new Parameter("value", "Object", null)), "String");
        }

        @Override
        public Class<?>[] parameterTypes() {
            return new Class<?>[] {Object.class};
        }

        @Override
        public Object apply(@Nullable Object[] args) {
            return typeName(args[0]);
        }

        @Override
        public boolean runsOnPoller(@Nullable Object[] args) {
            return true;
        }
    }
}
