package org.gradwire.conformance.functions;

import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Functions whose arguments and results only a codec of the program can send. */
@SuppressWarnings("gradwire") // which the check at compile time does not know of
public final class CodecFunctions {

    private CodecFunctions() {}

    @RemoteCallable
    public static Coordinates scale(Coordinates point, int factor) {
        return new Coordinates(point.x() * factor, point.y() * factor);
    }

    @RemoteCallable
    public static int norm(Coordinates point) {
        return Math.abs(point.x()) + Math.abs(point.y());
    }

    @RemoteCallable
    public static List<Coordinates> mirrored(List<Coordinates> points) {
        return points.stream().map(point -> new Coordinates(point.y(), point.x())).toList();
    }

    @RemoteCallable
    @AsyncExecution
    public static RpcFuture<Coordinates> scaleLater(Coordinates point, int factor) {
        RpcPromise<Coordinates> promise = Rpc.current().promise();
        promise.complete(scale(point, factor));
        return promise;
    }

    /** Add what has more to carry than bytes, and nothing. */
    @RemoteCallable
    public static Tensor add(
            Tensor tensor, RRef<Tensor> rref, @Nullable Tensor nothing, Coordinates point) {
        if (nothing != null) {
            throw new IllegalArgumentException("it is something: " + nothing);
        }
        return tensor.add(rref.toHere()).add(point.x());
    }

    /** Call a function of worker 0 from here. */
    @RemoteCallable
    public static int askWorker0(Coordinates point) {
        return Rpc.current().rpcSync("worker0", CallFunctions::square, point.x() + point.y());
    }
}
