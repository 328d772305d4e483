package org.gradwire.autograd;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/** Offers {@link AutogradOps} as operators. Made by {@link java.util.ServiceLoader}. */
public final class AutogradOperators implements OperatorProvider {

    /** For {@link java.util.ServiceLoader}. */
    public AutogradOperators() {}

    /** What an operator does. */
    @FunctionalInterface
    private interface Rule {
        @Nullable Object apply(@Nullable Object[] args);
    }

    private record Row(String name, FunctionSchema schema, List<Class<?>> types, Rule rule)
            implements Operator {
        @Override
        public Class<?>[] parameterTypes() {
            return types.toArray(Class<?>[]::new);
        }

        @Override
        public @Nullable Object apply(@Nullable Object[] args) {
            return rule.apply(args);
        }

        /** It may run a graph. */
        @Override
        public boolean light(@Nullable Object[] args) {
            return false;
        }
    }

    @Override
    public Collection<? extends Operator> operators() {
        var contextId = new Parameter("contextId", "long", null);
        var backward =
                new FunctionSchema(
                        "aten::dist_backward",
                        List.of(
                                contextId,
                                new Parameter("roots", "List", null),
                                new Parameter("keepGraph", "boolean", "false")),
                        "void");
        var rrefBackward =
                new FunctionSchema(
                        "aten::rref_backward",
                        List.of(
                                new Parameter("root", "Object", null),
                                contextId,
                                new Parameter("keepGraph", "boolean", "false")),
                        "void");
        var gradients = new FunctionSchema("aten::get_gradients", List.of(contextId), "Map");
        return List.of(
                new Row(
                        "aten::dist_backward",
                        backward,
                        List.of(Long.class, List.class, Boolean.class),
                        AutogradOperators::backward),
                new Row(
                        "aten::rref_backward",
                        rrefBackward,
                        List.of(Object.class, Long.class, Boolean.class),
                        AutogradOperators::rrefBackward),
                new Row(
                        "aten::get_gradients",
                        gradients,
                        List.of(Long.class),
                        args -> AutogradOps.getGradients((Long) present(args[0]))));
    }

    private static @Nullable Object backward(@Nullable Object[] args) {
        List<Tensor> roots = ((List<?>) present(args[1])).stream().map(Tensor.class::cast).toList();
        AutogradOps.distBackward((Long) present(args[0]), roots, (Boolean) present(args[2]));
        return null;
    }

    private static @Nullable Object rrefBackward(@Nullable Object[] args) {
        AutogradOps.rrefBackward(args[0], (Long) present(args[1]), (Boolean) present(args[2]));
        return null;
    }

    private static Object present(@Nullable Object argument) {
        if (argument == null) {
            throw new IllegalArgumentException("an argument of an autograd operator is null");
        }
        return argument;
    }
}
