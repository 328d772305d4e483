package org.gradwire.conformance.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Remote functions that describe their worker, fail, block, or call other workers. */
public final class CallFunctions {

    private CallFunctions() {}

    @RemoteCallable
    public static Object echo(Object value) {
        return value;
    }

    @RemoteCallable
    public static int square(int value) {
        return value * value;
    }

    /** As {@link #square}, asynchronously. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> squareLater(int value) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        promise.complete(value * value);
        return promise;
    }

    /** Sum the squares of the numbers below a limit, each computed by a call to another worker. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> sumOfSquares(String worker, int count) {
        Rpc rpc = Rpc.current();
        List<RpcFuture<Integer>> squares = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            squares.add(rpc.rpcAsync(worker, CallFunctions::square, i));
        }
        return rpc.collectAll(squares)
                .then(all -> all.value().stream().mapToInt(Integer::intValue).sum());
    }

    /** Return a future that {@link #keepPromises} completes with the value. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> promise(int value) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        Promises.here().given.add(() -> promise.complete(value));
        return promise;
    }

    /**
     * Complete all futures that {@link #promise} returned on this worker, and return their number.
     */
    @RemoteCallable
    public static int keepPromises() {
        int kept = 0;
        for (Runnable promise; (promise = Promises.here().given.poll()) != null; kept++) {
            promise.run();
        }
        return kept;
    }

    private static final class Promises {
        private final Queue<Runnable> given = new ConcurrentLinkedQueue<>();

        static Promises here() {
            return Rpc.current().locals().get(Promises.class, Promises::new);
        }
    }

    /** Fail with a reason; return 0 if there is none. */
    @RemoteCallable
    public static int fail(String reason) {
        if (reason.isEmpty()) {
            return 0;
        }
        throw new IllegalStateException(reason);
    }

    /** As {@link #fail}, with an exception that blames the argument. */
    @RemoteCallable
    public static int refuse(String reason) {
        if (reason.isEmpty()) {
            return 0;
        }
        throw new IllegalArgumentException(reason);
    }

    /** Forward a call along a chain of workers; the last one returns once its door opens. */
    @RemoteCallable
    public static int relay(List<String> line, String door, int value) throws InterruptedException {
        if (line.isEmpty()) {
            return Gate.hold(door, value);
        }
        List<String> rest = List.copyOf(line.subList(1, line.size()));
        return Rpc.current().rpcSync(line.getFirst(), CallFunctions::relay, rest, door, value);
    }

    /** Wait until door {@code door} of this worker is open, then return the value. */
    @RemoteCallable
    public static int holdAtDoor(int value) throws InterruptedException {
        return Gate.hold("door", value);
    }

    @RemoteCallable
    public static Map<String, String> debugInfo() {
        return Rpc.current().debugInfo();
    }

    /** Try to shut down from within a call. */
    @RemoteCallable
    public static void shutDown() {
        Rpc.current().shutdown();
    }
}
