package org.gradwire.runtime.rref;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Workers that share references over a network controlled by a test: each message and each
 * acknowledgement waits in {@link #events} until the test runs it, in any order, some of them
 * twice.
 */
final class SimulatedGroup {
    static final RRefType TYPE = new RRefType(FunctionKind.USER, "String");
    static final long SECRET = 0x5ec7e7; // the same in all ids, since tests create ids too
    private static final Cleaner CLEANER = Cleaner.create();

    final List<SimulatedWorker> workers = new ArrayList<>();
    final List<Runnable> events = new ArrayList<>();

    SimulatedGroup(int size) {
        for (int id = 0; id < size; id++) {
            workers.add(new SimulatedWorker(id));
        }
    }

    SimulatedWorker worker(int id) {
        return workers.get(id);
    }

    /** Run one of the waiting events. */
    void step(Random random) {
        events.remove(random.nextInt(events.size())).run();
    }

    /** Run all events, including those that they cause. */
    void settle(Random random) {
        while (!events.isEmpty()) {
            step(random);
        }
    }

    /** Run all events in the order they came. */
    void settle() {
        while (!events.isEmpty()) {
            events.removeFirst().run();
        }
    }

    /** A handle that a test holds, and its value's id and owner. */
    record Held(SimulatedWorker holder, RRef<?> rref, GloballyUniqueId rrefId, int owner) {}

    /** The outcome of a message with a reference. */
    interface Arrival {
        void arrived(@Nullable Held received);
    }

    final class SimulatedWorker implements RRefHost {
        final WorkerInfo info;
        final RRefContext context = new RRefContext(this, CLEANER, 0);
        final Map<Integer, Integer> sent = new HashMap<>(); // control messages by type
        final List<CallFuture<@Nullable Object>> fetches = new ArrayList<>();
        boolean inScript;
        boolean saves;
        volatile boolean alive = true; // the cleaner reads it too
        final AtomicInteger unsent = new AtomicInteger();
        private final Map<Integer, RequestHandler> handlers = new HashMap<>();
        final WireCodec codec =
                new WireCodec(
                        new Values(
                                List.of(new RRefCodec(context)),
                                SimulatedGroup.class.getClassLoader()),
                        List.of());

        SimulatedWorker(int id) {
            info = new WorkerInfo(id, "w" + id);
            RRefHandlers.of(context)
                    .forEach(handler -> handlers.put(handler.requestType(), handler));
        }

        int figure(String key) {
            return Integer.parseInt(Objects.requireNonNull(context.debugInfo().get(key)));
        }

        // ---- messages

        private Message encode(int to, int type, Consumer<Output> body) {
            WireOutput out = codec.begin(to, false);
            try {
                body.accept(out);
                return out.toMessage(type);
            } finally {
                codec.giveBack(out);
            }
        }

        /**
         * Send a reference in a call.
         *
         * @param arrival notified of the arrival, or with null of the failure of the call
         */
        void send(Held held, SimulatedWorker to, boolean fails, Arrival arrival) {
            WireOutput out = codec.begin(to.info.id(), false);
            out.writeValue(held.rref);
            Message message = out.toMessage(MessageTypes.UDF_CALL);
            Runnable undo = Objects.requireNonNull(out.undo());
            codec.giveBack(out);
            events.add(() -> {
                if (fails || !to.alive || !alive) {
                    undoIfAlive(undo);
                    arrival.arrived(null);
                } else {
                    Held received = to.receive(info.id(), message, held);
                    if (received == null) {
                        events.add(() -> undoIfAlive(undo)); // the failure is sent as the reply
                    }
                    arrival.arrived(received);
                }
            });
        }

        private void undoIfAlive(Runnable undo) {
            if (alive) {
                undo.run();
            }
        }

        private @Nullable Held receive(int from, Message message, Held original) {
            try {
                var rref = (RRef<?>) codec.open(from, message).body().readValue();
                return new Held(
                        this, Objects.requireNonNull(rref), original.rrefId, original.owner);
            } catch (RpcException _) {
                return null; // the value was lost with its sender
            }
        }

        @Override
        public CallFuture<@Nullable Void> sendControl(int to, int type, Consumer<Output> body) {
            return send(to, type, body, _ -> null);
        }

        @Override
        public CallFuture<Boolean> askControl(int to, int type, Consumer<Output> body) {
            return send(to, type, body, Input::readBoolean);
        }

        private <T extends @Nullable Object> CallFuture<T> send(
                int to, int type, Consumer<Output> body, Function<Input, T> answer) {
            sent.merge(type, 1, Integer::sum);
            Message message = encode(to, type, body);
            CallFuture<T> acknowledged = new CallFuture<>(FutureHost.NONE);
            events.add(() -> deliver(to, message, answer, acknowledged));
            return acknowledged;
        }

        private <T extends @Nullable Object> void deliver(
                int to, Message message, Function<Input, T> answer, CallFuture<T> acknowledged) {
            SimulatedWorker peer = workers.get(to);
            if (!peer.alive) {
                var failure = new RpcConnectionException(peer.info + " is gone");
                events.add(() -> acknowledged.tryFail(failure));
                return;
            }
            if (!alive) {
                return;
            }
            Request request = peer.handle(info.id(), message);
            events.add(() -> peer.handle(info.id(), message)); // it arrives again
            events.add(() -> {
                RuntimeException failure = request.failure;
                if (failure == null) {
                    acknowledged.tryComplete(
                            answer.apply(codec.open(to, peer.answer(request)).body()));
                } else {
                    acknowledged.tryFail(failure);
                }
            });
        }

        private Message answer(Request request) {
            return encode(0, MessageTypes.RREF_ACK, Objects.requireNonNull(request.answer));
        }

        private Request handle(int from, Message message) {
            var request = new Request(from, codec.open(from, message).body());
            if (!alive) {
                request.failure = new RpcConnectionException(info + " is gone");
                return request;
            }
            try {
                Objects.requireNonNull(handlers.get(message.type())).handle(request);
            } catch (RpcException e) {
                request.failure = e;
            }
            return request;
        }

        // ---- the host of references

        @Override
        public WorkerInfo self() {
            return info;
        }

        /** Schedule a task as another event. */
        @Override
        public WorkerTime time() {
            return new WorkerTime() {
                @Override
                public long nanoTime() {
                    return 0;
                }

                @Override
                public Future<?> schedule(Runnable task, long delayNanos) {
                    var later = new FutureTask<>(task, null);
                    if (alive) { // its handles are collected at any time
                        events.add(later);
                    }
                    return later;
                }
            };
        }

        @Override
        public long newSecret() {
            return SECRET;
        }

        @Override
        public WorkerInfo worker(int id) {
            return workers.get(id).info;
        }

        @Override
        public @Nullable String creationSite() {
            return null;
        }

        @Override
        public boolean inScript() {
            return inScript;
        }

        @Override
        public boolean savesReferences() {
            return saves;
        }

        @Override
        public void beginUnsent() {
            unsent.incrementAndGet();
        }

        @Override
        public void endUnsent() {
            unsent.decrementAndGet();
        }

        @Override
        public void execute(Runnable task) {
            events.add(task);
        }

        @Override
        public <T extends @Nullable Object> CallFuture<T> newFuture() {
            return new CallFuture<>(FutureHost.NONE);
        }

        @Override
        public <R extends @Nullable Object> RpcFuture<R> rpcAsync(
                RRef<?> referent, Call<R> method, CallOptions options) {
            throw new UnsupportedOperationException("references only");
        }

        @Override
        public <R extends @Nullable Object> R rpcSync(
                RRef<?> referent, Call<R> method, CallOptions options) {
            throw new UnsupportedOperationException("references only");
        }

        @Override
        public <R extends @Nullable Object> RRef<R> remote(
                RRef<?> referent, Call<R> method, CallOptions options) {
            throw new UnsupportedOperationException("references only");
        }

        @Override
        public CallFuture<@Nullable Object> fetch(
                WorkerInfo owner,
                GloballyUniqueId rrefId,
                RRefType type,
                @Nullable Duration timeout) {
            CallFuture<@Nullable Object> fetched = new CallFuture<>(FutureHost.NONE);
            fetches.add(fetched);
            events.add(() -> {
                try {
                    workers.get(owner.id())
                            .context
                            .ownedValue(info.id(), rrefId, type)
                            .whenEnded((value, failure) -> {
                                if (failure == null) {
                                    fetched.tryComplete(value);
                                } else {
                                    fetched.tryFail(failure);
                                }
                            });
                } catch (RpcException e) {
                    fetched.tryFail(e);
                }
            });
            return fetched;
        }

        @Override
        public String toString() {
            return info.name() + (alive ? " " : " (dead) ") + context.debugInfo();
        }
    }

    private static final class Request implements IncomingRequest {
        private final int from;
        private final Input body;
        private @Nullable RuntimeException failure;
        private @Nullable Consumer<Output> answer;

        Request(int from, Input body) {
            this.from = from;
            this.body = body;
        }

        @Override
        public int from() {
            return from;
        }

        @Override
        public Input body() {
            return body;
        }

        @Override
        public Runnable keepCounting() {
            return () -> {};
        }

        @Override
        public void reply(int type, Consumer<Output> writer) {
            answer = writer;
        }

        @Override
        public void fail(Throwable thrown) {
            failure = new RpcException(String.valueOf(thrown.getMessage()));
        }
    }
}
