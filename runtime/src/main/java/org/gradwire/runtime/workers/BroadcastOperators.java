package org.gradwire.runtime.workers;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.FunctionSchema;
import org.gradwire.rpc.FunctionSchema.Parameter;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.runtime.function.CallerOperator;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.rref.RRefContext;
import org.gradwire.spi.Operator;
import org.gradwire.spi.OperatorProvider;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The operator with which members of a group keep a value and pass it on. */
public final class BroadcastOperators implements OperatorProvider {
    private static final String NAME = "gradwire::broadcast";
    private static final int MOST_SENDERS = 64; // a tree of all possible workers has 8 levels

    /** Create the provider. */
    public BroadcastOperators() {}

    /**
     * Keep a value on this worker, and send it to others.
     *
     * @param workers this worker, and those to which it sends the value
     * @param senders ids of the workers that sent it before this one, the caller last
     * @param timeoutNanos of the calls of others; 0 means none
     * @return references to all copies, in the order of the workers
     */
    @Builtin(NAME)
    public static List<RRef<@Nullable Object>> broadcast(
            List<String> workers,
            @Nullable Object value,
            List<Integer> senders,
            Long timeoutNanos) {
        Rpc rpc = Rpc.current();
        check(rpc, workers);
        RRef<@Nullable Object> kept = rpc.rref(value);
        List<RRef<@Nullable Object>> all = new ArrayList<>(List.of(kept));
        try {
            var message =
                    new Broadcast.Message<@Nullable Object>(
                            value, senders, Duration.ofNanos(Math.max(0, timeoutNanos)));
            Map<String, RRef<@Nullable Object>> passedOn =
                    Broadcast.send(
                            message,
                            Broadcast.subtrees(workers.subList(1, workers.size())),
                            heads -> timed(rpc.workers(heads), message.timeout()));
            all.addAll(passedOn.values());
        } catch (RuntimeException failure) {
            kept.close();
            throw failure;
        }
        all.forEach(RRefContext::closeWhenSent);
        return all;
    }

    private static WorkerGroup timed(WorkerGroup group, Duration timeout) {
        return timeout.isZero() ? group.withoutTimeout() : group.withTimeout(timeout);
    }

    /** Check the workers that a caller names. */
    private static void check(Rpc rpc, List<?> workers) {
        boolean valid =
                workers.stream().allMatch(String.class::isInstance)
                        && new HashSet<>(workers).size() == workers.size()
                        && !workers.isEmpty()
                        && rpc.self().name().equals(workers.getFirst());
        if (!valid) {
            throw new IllegalArgumentException(
                    "the workers of a broadcast must be different names, that of %s first, but got %s"
                            .formatted(rpc.self().name(), UntrustedText.quote(workers.toString())));
        }
    }

    @Override
    public Collection<? extends Operator> operators() {
        return List.of(new BroadcastOperator());
    }

    private static final class BroadcastOperator implements CallerOperator {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public FunctionSchema schema() {
            return new FunctionSchema(
                    NAME,
                    List.of(
                            new Parameter("workers", "List<String>", null),
                            new Parameter("value", "Object", null),
                            new Parameter("senders", "List<Integer>", null),
                            new Parameter("timeoutNanos", "long", null)),
                    "List<RRef>");
        }

        @Override
        public Class<?>[] parameterTypes() {
            return new Class<?>[] {List.class, Object.class, List.class, Long.class};
        }

        @Override
        @SuppressWarnings("unchecked") // the names are checked where they are used
        public Object apply(Caller caller, @Nullable Object[] args) {
            if (args[0] instanceof List<?> workers
                    && args[2] instanceof List<?> senders
                    && args[3] instanceof Long timeoutNanos) {
                return broadcast(
                        (List<String>) workers, args[1], admit(senders, caller), timeoutNanos);
            }
            throw new IllegalArgumentException(
                    "a broadcast has workers, senders and a timeout, but one of them is null");
        }

        /**
         * Check that all senders may send a value here, and add the caller to them. Otherwise a
         * worker that may not could send it through another one that may.
         */
        private static List<Integer> admit(List<?> senders, Caller caller) {
            if (senders.size() > MOST_SENDERS
                    || !senders.stream().allMatch(Integer.class::isInstance)) {
                throw new IllegalArgumentException(
                        "the senders of a broadcast must be at most %d ids of workers, but got %s"
                                .formatted(MOST_SENDERS, UntrustedText.quote(senders.toString())));
            }
            List<Integer> all = new ArrayList<>();
            for (Object sender : senders) {
                int id = (Integer) sender;
                caller.permissions().lookUp(id, FunctionKind.BUILTIN, NAME);
                all.add(id);
            }
            all.add(caller.id());
            return all;
        }
    }
}
