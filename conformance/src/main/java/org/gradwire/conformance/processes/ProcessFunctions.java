package org.gradwire.conformance.processes;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.concurrent.CountDownLatch;

/** Remote functions of the worker programs. */
@RemoteCallable
public final class ProcessFunctions {

    private ProcessFunctions() {}

    /** Run until the process is killed. */
    public static void hang() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    public static int id() {
        return Rpc.current().self().id();
    }

    public static Tensor twice(RRef<Tensor> value) {
        return value.toHere().mul(2);
    }

    /** Double a tensor on this worker and on a number of following workers. */
    public static Tensor doubleAround(Tensor value, int hops) {
        Rpc rpc = Rpc.current();
        Tensor result =
                hops == 0
                        ? value
                        : rpc.rpcSync(
                                "worker" + (rpc.self().id() + 1),
                                ProcessFunctions::doubleAround,
                                value,
                                hops - 1);
        return result.mul(2);
    }
}
