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

/** Functions that tell about the worker they run on, or call further. */
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

    /** As {@link #square}, answered by a future. */
    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Integer> squareLater(int value) {
        RpcPromise<Integer> promise = Rpc.current().promise();
        promise.complete(value * value);
        return promise;
    }

    /** Let another worker square the numbers below one, each in a call, and add the squares up. */
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

    /** Complete all futures that {@link #promise} has returned here, and say how many. */
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
            return Rpc.current().local(Promises.class, Promises::new);
        }
    }

    /** Fail for a reason; without one return 0. */
    @RemoteCallable
    public static int fail(String reason) {
        if (reason.isEmpty()) {
            return 0;
        }
        throw new IllegalStateException(reason);
    }

    /** As {@link #fail}, with the argument to blame. */
    @RemoteCallable
    public static int refuse(String reason) {
        if (reason.isEmpty()) {
            return 0;
        }
        throw new IllegalArgumentException(reason);
    }

    /** Pass a question on along a line of workers; the last one answers when its door opens. */
    @RemoteCallable
    public static int relay(List<String> line, String door, int value) throws InterruptedException {
        if (line.isEmpty()) {
            return Gate.hold(door, value);
        }
        List<String> rest = List.copyOf(line.subList(1, line.size()));
        return Rpc.current().rpcSync(line.getFirst(), CallFunctions::relay, rest, door, value);
    }

    /** Wait until the door named {@code door} of this worker is open, then return the value. */
    @RemoteCallable
    public static int holdAtDoor(int value) throws InterruptedException {
        return Gate.hold("door", value);
    }

    @RemoteCallable
    public static Map<String, String> debugInfo() {
        return Rpc.current().debugInfo();
    }

    /** Try to leave the group from within a call. */
    @RemoteCallable
    public static void shutDown() {
        Rpc.current().shutdown();
    }
}
