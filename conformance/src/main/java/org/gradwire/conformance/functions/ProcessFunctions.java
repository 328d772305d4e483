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
}
