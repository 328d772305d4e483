package org.gradwire.conformance.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.concurrent.CountDownLatch;

/** Functions of the programs that run in processes of their own. */
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

    /** Double a tensor here, and on so many of the workers that come next. */
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
