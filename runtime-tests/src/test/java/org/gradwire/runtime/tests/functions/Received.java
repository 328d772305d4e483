package org.gradwire.runtime.tests.functions;

import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Functions that receive references. Unless noted they keep their handles reachable, so that only
 * the end of the call, and no collection, can release the references.
 */
@RemoteCallable
public final class Received {
    private final Queue<Object> all = new ConcurrentLinkedQueue<>();
    private final Queue<RRef<Integer>> retained = new ConcurrentLinkedQueue<>();
    private final Queue<RpcPromise<Integer>> promises = new ConcurrentLinkedQueue<>();
    private final Queue<String> ends = new ConcurrentLinkedQueue<>();

    private Received() {}

    /** A record with a reference in it. */
    @WireValue
    public record Box(RRef<Integer> number) {}

    private static Received here() {
        return Rpc.current().locals().get(Received.class, Received::new);
    }

    private static <T> T held(T value) {
        here().all.add(value);
        return value;
    }

    public static int read(RRef<Integer> number) {
        return held(number).toHere();
    }

    public static int readBox(Box box) {
        return held(box).number().toHere();
    }

    public static int readAll(
            List<RRef<Integer>> list, Map<String, RRef<Integer>> map, Optional<Box> optional) {
        held(list);
        held(map);
        held(optional);
        return list.getFirst().toHere()
                + map.values().iterator().next().toHere()
                + optional.orElseThrow().number().toHere();
    }

    public static Tensor callModule(RemoteModule<Linear> module, Tensor input) {
        return held(module).forward(Linear::forward, input);
    }

    public static int fail(RRef<Integer> number) {
        throw new IllegalStateException("no luck with " + held(number).toHere());
    }

    public static RRef<Integer> giveBack(RRef<Integer> number) {
        return held(number);
    }

    public static Box giveBoxBack(RRef<Integer> number) {
        return new Box(held(number));
    }

    /** Forward a reference without waiting for the call's end. */
    public static void passOn(RRef<Integer> number, List<String> workers) {
        if (!workers.isEmpty()) {
            List<String> rest = List.copyOf(workers.subList(1, workers.size()));
            var _ =
                    Rpc.current()
                            .runAsync(workers.getFirst(), Received::passOn, held(number), rest);
        } else {
            retain(number);
        }
    }

    public static void retain(RRef<Integer> number) {
        here().retained.add(number.retain());
    }

    /** {@return the sum of all retained references} */
    public static int readRetained() {
        return here().retained.stream().mapToInt(RRef::toHere).sum();
    }

    public static int retainedCount() {
        return here().retained.size();
    }

    public static void closeRetained() {
        here().retained.forEach(RRef::close);
        here().retained.clear();
    }

    /** {@return the error of the last received reference when it is used after its call} */
    public static String useAfterwards() {
        Object last = new ArrayList<>(here().all).getLast();
        try {
            return String.valueOf(((RRef<?>) last).toHere());
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** {@return a future of the number, which {@link #completeAll} completes} */
    @AsyncExecution
    public static RpcFuture<Integer> later(RRef<Integer> number) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        here().promises.add(promise);
        held(number);
        RpcPromise<Integer> answer = Rpc.current().promise();
        Queue<String> ends = here().ends;
        promise.onDone(done -> {
            try {
                int sum = number.toHere() + done.value();
                ends.add("sum " + sum);
                answer.complete(sum);
            } catch (RuntimeException e) {
                ends.add(String.valueOf(e));
                answer.fail(e);
            }
        });
        return answer;
    }

    public static int waitingPromises() {
        return here().promises.size();
    }

    /** {@return the sum or error of each completed {@link #later}} */
    public static List<String> endsOfLater() {
        return List.copyOf(here().ends);
    }

    public static void completeAll(int number) {
        here().promises.forEach(promise -> promise.complete(number));
    }

    /** Create a module that keeps a reference; {@return a reference to the module} */
    public static RRef<Keeper> keeperOf(RRef<Integer> number) {
        return Rpc.current().rref(new Keeper(number));
    }

    /** A module that keeps the reference of its constructor in a plain field. */
    @RemoteCallable
    public static final class Keeper extends Module {
        private final RRef<Integer> number;

        public Keeper(RRef<Integer> number) {
            this.number = number;
        }

        public int read() {
            return number.toHere();
        }

        /** {@return this}, for chained calls */
        public Keeper with(RRef<Integer> other) {
            held(other);
            return this;
        }
    }

    /** A stage of a pipeline, whose input may be on the worker of the previous stage. */
    @RemoteCallable
    public static final class Stage extends Module {
        private final Linear linear;

        public Stage(int features, long seed) {
            linear = registerModule("linear", new Linear(features, features, seed));
        }

        public Tensor forward(RRef<Tensor> input) {
            return linear.forward(held(input).toHere());
        }
    }
}
