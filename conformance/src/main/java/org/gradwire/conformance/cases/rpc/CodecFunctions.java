package org.gradwire.conformance.cases.rpc;

import org.gradwire.conformance.functions.CallFunctions;
import org.gradwire.rpc.AsyncExecution;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Remote functions whose arguments and results need a custom codec. */
@SuppressWarnings("gradwire") // the compile-time check does not know the codec
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

    /** Sum a tensor, a referenced tensor and a coordinate; the third argument must be null. */
    @RemoteCallable
    public static Tensor add(
            Tensor tensor, RRef<Tensor> rref, @Nullable Tensor nothing, Coordinates point) {
        if (nothing != null) {
            throw new IllegalArgumentException("expected null, not " + nothing);
        }
        return tensor.add(rref.toHere()).add(point.x());
    }

    /** Call worker 0 from this worker. */
    @RemoteCallable
    public static int askWorker0(Coordinates point) {
        return Rpc.current().rpcSync("worker0", CallFunctions::square, point.x() + point.y());
    }
}
