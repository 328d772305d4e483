package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradContext;
import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Contexts that are released while their calls and passes are under way. */
@Timeout(120)
class ContextReleaseTest {
    private static final List<String> NOTHING = List.of("0", "0");

    @Test
    void callMadeByACalleeAfterTheReleaseBringsNoContextToOthers() throws Exception {
        InprocGroup.runFirst(
                3,
                rpc -> {
                    Tensor a = Tensor.ones(2).requiresGrad(true);
                    RpcFuture<Tensor> product;
                    try (AutogradContext _ = DistAutograd.context(rpc)) {
                        product =
                                rpc.rpcAsync(
                                        "worker1",
                                        Products::elsewhereAfterGate,
                                        1,
                                        a,
                                        a,
                                        "worker2");
                    }
                    awaitNothing(rpc, "worker1");
                    rpc.runSync("worker1", Products::openGate, 1);
                    assertTrue(product.join().detach().allclose(Tensor.ones(2).tanh(), 1e-6, 0));
                    for (String worker : List.of("worker0", "worker1", "worker2")) {
                        assertEquals(
                                NOTHING, rpc.rpcSync(worker, Products::contextsAndPasses), worker);
                    }
                });
    }

    @Test
    void passEndsWhenItsContextIsReleasedInTheMidstOfIt() throws Exception {
        InprocGroup.runFirst(
                3,
                Map.of("gradwire.rpc-timeout", "30s"),
                rpc -> {
                    var random = new SplittableRandom(11);
                    int failed = 0;
                    for (int i = 0; i < 200; i++) {
                        failed += releasedInPass(rpc, random.nextInt(0, 3_000_000)) ? 0 : 1;
                    }
                    System.out.println(failed + " of 200 passes were ended by the release");
                    for (String worker : List.of("worker0", "worker1", "worker2")) {
                        awaitNothing(rpc, worker);
                    }
                });
    }

    /** Release a context so long after its pass began; {@return whether the pass was over} */
    private static boolean releasedInPass(Rpc rpc, int nanos) throws Exception {
        AutogradContext context = DistAutograd.context(rpc); // closed by the other thread
        Tensor a = Tensor.ones(2).requiresGrad(true);
        Tensor loss = rpc.rpcSync("worker1", Products::elsewhere, a, a, "worker2").sum();
        var begins = new CountDownLatch(1);
        var pass =
                new FutureTask<>(() -> {
                    begins.countDown();
                    try {
                        context.backward(loss);
                        return true;
                    } catch (RpcException e) {
                        assertTrue(e.getMessage().contains("autograd context"), e::getMessage);
                        return false;
                    }
                });
        Thread.ofPlatform().start(pass);
        assertTrue(begins.await(1, TimeUnit.MINUTES));
        LockSupport.parkNanos(nanos);
        context.close();
        return pass.get(1, TimeUnit.MINUTES);
    }

    private static void awaitNothing(Rpc rpc, String worker) {
        while (!rpc.rpcSync(worker, Products::contextsAndPasses).equals(NOTHING)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
