package org.gradwire.examples.guide;

import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.DistributedOptimizerException;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.List;

/** Page 7: failures and their exceptions. */
@RemoteCallable
public final class Failures {

    private Failures() {}

    static void run(Rpc rpc) {
        IO.println(divide(rpc, 1, 0));
        tooLate(rpc);
        again(rpc);
        someOwners(rpc);
    }

    public static int quotient(int dividend, int divisor) {
        return dividend / divisor;
    }

    private static String divide(Rpc rpc, int dividend, int divisor) {
        try {
            return "" + rpc.rpcSync("worker1", Failures::quotient, dividend, divisor);
        } catch (RemoteArgumentException e) {
            return e.worker().name() + " got wrong arguments";
        } catch (RemoteException e) {
            return "the function failed on " + e.worker().name() + " with " + e.remoteType();
        } catch (RpcTimeoutException e) {
            return "no reply in time; the function may still run";
        } catch (RpcConnectionException e) {
            return "the worker is lost; whether the function ran is not known";
        }
    }

    public static void work(int seconds) throws InterruptedException {
        Thread.sleep(Duration.ofSeconds(seconds));
    }

    private static void tooLate(Rpc rpc) {
        try {
            rpc.withTimeout(Duration.ofMillis(50)).runSync("worker1", Failures::work, 2);
        } catch (RpcTimeoutException e) {
            IO.println("too late: " + e.kind());
        }
        var call = rpc.runAsync("worker1", Failures::work, 3600);
        IO.println("cancelled: " + call.cancel()); // interrupts the function
    }

    private static void again(Rpc rpc) {
        RetryPolicy policy = RetryPolicy.DEFAULT;
        int result = rpc.withRetry(policy).rpcSync("worker1", Failures::quotient, 6, 3);
        IO.println("asked until it was answered: " + result);
    }

    private static void someOwners(Rpc rpc) {
        Tensor zeros = Tensor.zeros(2);
        try (RRef<Tensor> one = rpc.remote("worker1", Failures::parameter, zeros);
                RRef<Tensor> two = rpc.remote("worker2", Failures::parameter, zeros)) {
            DistributedOptimizer.create(rpc, SGD::new, List.of(one, two), -1.0).close();
        } catch (DistributedOptimizerException e) {
            IO.println("failed on " + e.failures().keySet() + ", done on " + e.succeeded());
        }
    }

    public static Tensor parameter(Tensor values) {
        return values.copy().requiresGrad(true);
    }
}
