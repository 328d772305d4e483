package org.gradwire.runtime.stream;

import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.function.CallerOperator;
import org.gradwire.runtime.function.CallerOperator.Caller;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;

/** The operators of streams, which run on the values of references of the producer's worker. */
public final class StreamOperators implements OperatorProvider {
    private static final Parameter SOURCE = new Parameter("source", "Object", null);

    /** Create the provider. */
    public StreamOperators() {}

    @Override
    public Collection<? extends Operator> operators() {
        return List.of(
                new StreamOperator(
                        "gradwire::stream_open",
                        List.of(
                                new Parameter("values", "Object", null),
                                new Parameter("idleNanos", "long", null)),
                        List.of(Object.class, Long.class),
                        StreamOperators::open),
                new StreamOperator(
                        "gradwire::stream_next",
                        List.of(
                                SOURCE,
                                new Parameter("number", "long", null),
                                new Parameter("credits", "int", null),
                                new Parameter("waitNanos", "long", null)),
                        List.of(Object.class, Long.class, Integer.class, Long.class),
                        StreamOperators::next),
                new StreamOperator(
                        "gradwire::stream_close",
                        List.of(SOURCE),
                        List.of(Object.class),
                        StreamOperators::close));
    }

    private static Object open(Caller caller, @Nullable Object[] args) {
        if (args[0] == null || !(args[1] instanceof Long idleNanos)) {
            throw new IllegalArgumentException("a stream needs values and an idle limit, not null");
        }
        Rpc rpc = Rpc.current();
        CreditLimit limit = rpc.locals().get(CreditLimit.class, CreditLimit::new);
        return StreamSource.of(Worker.of(rpc), caller, args[0], idleNanos, limit);
    }

    private static Object next(Caller unused, @Nullable Object[] args) {
        if (args[1] instanceof Long number
                && args[2] instanceof Integer credits
                && args[3] instanceof Long waitNanos) {
            return source(args[0]).next(number, credits, waitNanos);
        }
        throw new IllegalArgumentException(
                "a request for values needs a number, credits and a limit, not null");
    }

    private static Object close(Caller unused, @Nullable Object[] args) {
        source(args[0]).close();
        return true;
    }

    private static StreamSource source(@Nullable Object value) {
        if (value instanceof StreamSource source) {
            return source;
        }
        throw new IllegalArgumentException("the reference is not one to the source of a stream");
    }

    private record StreamOperator(
            String name,
            List<Parameter> parameters,
            List<Class<?>> types,
            BiFunction<Caller, @Nullable Object[], Object> function)
            implements CallerOperator {

        @Override
        public FunctionSchema schema() {
            return new FunctionSchema(name, parameters, "Object");
        }

        @Override
        public Class<?>[] parameterTypes() {
            return types.toArray(Class<?>[]::new);
        }

        @Override
        public Object apply(Caller caller, @Nullable Object[] args) {
            return function.apply(caller, args);
        }
    }
}
