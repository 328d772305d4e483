package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Cases of the threads that run passes, and of a thread's current context. */
public abstract class BackwardThreadCases extends AutogradSuite {
    private static final int WORKER_SHIFT = 48;
    private static final int THREADS = 20;

    /** For subclasses. */
    protected BackwardThreadCases() {}

    @Case("DA-084")
    void manyPassesAtATimeThroughOneWorker() {
        world(WORLD_SIZE)
                .run(self -> {
                    if (self.id() == 0) {
                        return;
                    }
                    List<CompletableFuture<Void>> passes = new ArrayList<>();
                    for (int i = 0; i < THREADS; i++) {
                        int number = i;
                        passes.add(
                                CompletableFuture.runAsync(
                                        () -> passThroughWorker0(self, number),
                                        task -> Thread.ofPlatform().start(task)));
                    }
                    passes.forEach(CompletableFuture::join);
                });
    }

    private static void passThroughWorker0(Rank self, int number) {
        Tensor a = random(self, 2 * number);
        Tensor b = random(self, 2 * number + 1);
        try {
            compare(self, List.of(Mode.SYNC), List.of(a, b), mode -> chain(self.rpc(), mode, a, b));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Tensor chain(Rpc rpc, Mode mode, Tensor a, Tensor b) throws Exception {
        String to = "worker0";
        Tensor sum = mode.run(rpc, to, Ops::add, a, b);
        Tensor product = mode.run(rpc, to, Ops::mul, b, sum);
        Tensor matrix = mode.run(rpc, to, Ops::matmul, sum, product);
        return mode.run(rpc, to, Ops::add, product, matrix).sum();
    }

    @Case("DA-093")
    void aValueThatIsMadeOutsideOfAContextIsFetchedWithin() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    long id = (long) self.id() << WORKER_SHIFT; // of the worker's first context
                    Tensor ones = Tensor.ones(3, 3);
                    try (RRef<Tensor> sum =
                                    rpc.remote(
                                            self.next(),
                                            ContextGate::addWhenKnown,
                                            id,
                                            ones,
                                            ones);
                            AutogradContext context = DistAutograd.context(rpc)) {
                        assertEquals(id, context.id());
                        Tensor fetched = sum.toHere(); // announces the context to the owner
                        assertTrue(fetched.requiresGrad());
                        assertEquals(1, context.recvFunctions().size());
                        context.backward(fetched.sum());
                        assertTrue(
                                rpc.rpcSync(
                                        self.next(),
                                        AutogradFunctions::ownerHasGradient,
                                        id,
                                        sum,
                                        ones));
                    }
                });
    }
}
