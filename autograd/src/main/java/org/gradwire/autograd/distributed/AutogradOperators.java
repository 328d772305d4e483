package org.gradwire.autograd.distributed;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.Output;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Provides {@link AutogradOps} as operators. Created by {@link java.util.ServiceLoader}. */
public final class AutogradOperators implements OperatorProvider {

    /** For {@link java.util.ServiceLoader}. */
    public AutogradOperators() {}

    /** The implementation of an operator. */
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

        /** The operator may run a graph. */
        @Override
        public boolean runsOnPoller(@Nullable Object[] args) {
            return false;
        }
    }

    /** A backward pass from roots. */
    @FunctionalInterface
    private interface DistBackward {
        void run(long contextId, List<Tensor> roots, boolean keepGraph);
    }

    /** A backward pass from the value of a reference. */
    @FunctionalInterface
    private interface RrefBackward {
        void run(@Nullable Object root, long contextId, boolean keepGraph);
    }

    private static final Set<String> NAMES =
            Set.of(
                    "aten::dist_backward",
                    "gradwire::smart_dist_backward",
                    "aten::rref_backward",
                    "gradwire::smart_rref_backward",
                    "aten::get_gradients");
    private static final Parameter CONTEXT_ID = new Parameter("contextId", "long", null);
    private static final Parameter KEEP_GRAPH = new Parameter("keepGraph", "boolean", "false");

    /**
     * {@return whether a message calls one of these operators, or carries its result: the call is
     * recorded in its caller's context, and the result is not part of the graph}
     */
    static boolean isCalled(Output message) {
        List<FunctionSchema> functions = message.attached(FunctionSchema.class);
        return !functions.isEmpty() && NAMES.contains(functions.getFirst().name());
    }

    @Override
    public Collection<? extends Operator> operators() {
        return List.of(
                ofRoots("aten::dist_backward", AutogradOps::distBackward),
                ofRoots("gradwire::smart_dist_backward", AutogradOps::smartDistBackward),
                ofReference("aten::rref_backward", AutogradOps::rrefBackward),
                ofReference("gradwire::smart_rref_backward", AutogradOps::smartRrefBackward),
                new Row(
                        "aten::get_gradients",
                        new FunctionSchema("aten::get_gradients", List.of(CONTEXT_ID), "Map"),
                        List.of(Long.class),
                        args -> AutogradOps.getGradients((Long) present(args[0]))));
    }

    private static Row ofRoots(String name, DistBackward backward) {
        var roots = new Parameter("roots", "List", null);
        return new Row(
                name,
                new FunctionSchema(name, List.of(CONTEXT_ID, roots, KEEP_GRAPH), "void"),
                List.of(Long.class, List.class, Boolean.class),
                args -> {
                    List<Tensor> tensors =
                            ((List<?>) present(args[1])).stream().map(Tensor.class::cast).toList();
                    backward.run((Long) present(args[0]), tensors, (Boolean) present(args[2]));
                    return null;
                });
    }

    private static Row ofReference(String name, RrefBackward backward) {
        var root = new Parameter("root", "Object", null);
        return new Row(
                name,
                new FunctionSchema(name, List.of(root, CONTEXT_ID, KEEP_GRAPH), "void"),
                List.of(Object.class, Long.class, Boolean.class),
                args -> {
                    backward.run(args[0], (Long) present(args[1]), (Boolean) present(args[2]));
                    return null;
                });
    }

    private static Object present(@Nullable Object argument) {
        if (argument == null) {
            throw new IllegalArgumentException("an argument of an autograd operator is null");
        }
        return argument;
    }
}
