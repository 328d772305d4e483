package org.gradwire.conformance.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;

import java.util.List;
import java.util.Map;

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
