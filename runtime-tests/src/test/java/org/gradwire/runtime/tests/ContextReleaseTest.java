package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Contexts that are released during their calls and passes. */
@Timeout(120)
class ContextReleaseTest {
    @Test
    void callOfACalleeAfterTheReleaseBringsNoContext() throws Exception {
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
                    ContextReleases.awaitNothing(rpc, "worker1");
                    rpc.runSync("worker1", Products::openGate, 1);
                    assertTrue(product.join().detach().allclose(Tensor.ones(2).tanh(), 1e-6, 0));
                    for (String worker : List.of("worker0", "worker1", "worker2")) {
                        assertEquals(
                                ContextReleases.NOTHING,
                                rpc.rpcSync(worker, Products::contextsAndPasses),
                                worker);
                    }
                });
    }

    @Test
    void passEndsWhenItsContextIsReleased() throws Exception {
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
                        ContextReleases.awaitNothing(rpc, worker);
                    }
                });
    }

    /** Release a context some time after its pass started; {@return whether the pass had ended} */
    private static boolean releasedInPass(Rpc rpc, int nanos) throws Exception {
        AutogradContext context = DistAutograd.context(rpc); // closed by the other thread
        Tensor a = Tensor.ones(2).requiresGrad(true);
        Tensor loss = rpc.rpcSync("worker1", Products::elsewhere, a, a, "worker2").sum();
        return ContextReleases.releaseInPass(context, loss, nanos);
    }
}
