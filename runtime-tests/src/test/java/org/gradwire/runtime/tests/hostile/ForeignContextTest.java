package org.gradwire.runtime.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.AutogradOps;
import org.gradwire.autograd.distributed.BackwardMode;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.autograd.distributed.GraphView;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteOptimizer;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.InprocWorkers;
import org.gradwire.runtime.tests.functions.Products;
import org.gradwire.runtime.tests.functions.Tensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Uses of a context by a worker outside of it, which guesses its id: they read nothing, run no pass
 * and change nothing. Workers of the context use its id as before.
 */
@Timeout(120)
class ForeignContextTest {
    private static final int SIZE = 4;
    private static final int STRANGER = 3;

    private final List<Rpc> group;
    private final Rpc friend;
    private final Rpc stranger;
    private final Tensor leaf = Tensor.ones(2, 2).requiresGrad(true);
    private final AutogradContext context; // on workers 0 and 1
    private final Tensor loss;

    ForeignContextTest() {
        String meeting = "inproc://" + UUID.randomUUID();
        List<CompletableFuture<Rpc>> starting =
                IntStream.range(0, SIZE)
                        .mapToObj(rank -> InprocWorkers.onThread(() -> join(rank, meeting)))
                        .toList();
        group = starting.stream().map(CompletableFuture::join).toList();
        friend = group.getFirst();
        stranger = group.get(STRANGER);
        context = DistAutograd.context(friend);
        loss = friend.rpcSync("worker1", Ops::mul, leaf, leaf).sum();
        context.backward(BackwardOptions.fast().retainGraph(), loss);
    }

    private static Rpc join(int rank, String meeting) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .worldSize(SIZE)
                        .backend(TappedBackend.NAME)
                        .rendezvous(meeting)
                        .rpcTimeout(Duration.ofSeconds(30))
                        .build());
    }

    /** Check that its workers still use it, and have only their own gradients in it. */
    @AfterEach
    void assertUnchanged() {
        context.backward(loss);
        assertEquals(1, context.gradients().size());
        Tensor gradient = context.gradients().get(leaf);
        assertNotNull(gradient);
        assertTrue(Tensor.ones(2, 2).mul(4).equal(gradient), gradient::toString);
        context.close();
        group.forEach(Rpc::shutdownNow);
    }

    /** Assert that a use fails without a context, and in one of the stranger. */
    private void assertUnknownToStranger(Executable use) {
        InprocWorkers.onThread(
                        () -> {
                            assertUnknown(use);
                            try (AutogradContext _ = DistAutograd.context(stranger)) {
                                assertUnknown(use);
                            }
                            return null;
                        })
                .join();
    }

    private void assertUnknown(Executable use) {
        RpcException refused = assertThrows(RpcException.class, use);
        String text = String.valueOf(refused.getMessage());
        assertTrue(text.contains("Could not find autograd context with id: " + context.id()), text);
    }

    @Test
    void strangerReadsNoGradients() {
        long id = context.id();
        assertUnknownToStranger(() -> stranger.rpcSync("worker0", AutogradOps::getGradients, id));
        assertUnknownToStranger(() -> stranger.rpcSync("worker0", Products::gradientCount, id));
        assertUnknownToStranger(() -> stranger.rpcSync("worker1", Products::gradientCount, id));
    }

    @Test
    void strangerRunsNoPass() {
        long id = context.id();
        List<Tensor> roots = List.of(Tensor.ones(2, 2).requiresGrad(true).sum());
        assertUnknownToStranger(
                () -> stranger.runSync("worker0", AutogradOps::distBackward, id, roots, false));
        assertUnknownToStranger(() ->
                stranger.runSync("worker0", AutogradOps::smartDistBackward, id, roots, false));
        try (RRef<Tensor> root = stranger.remote("worker0", Ops::sum, roots.getFirst())) {
            assertUnknownToStranger(() -> root.runSync(AutogradOps::rrefBackward, id, false));
            assertUnknownToStranger(() -> root.runSync(AutogradOps::smartRrefBackward, id, false));
        }
    }

    @Test
    void strangerTakesNoStep() {
        RpcFunction.Function2<List<Tensor>, SGD.Options, SGD> constructor = SGD::new;
        try (RRef<Tensor> parameter = stranger.remote("worker0", Tensors::parameter);
                RRef<RemoteOptimizer> optimizer =
                        stranger
                                .<RpcFunction<?>, List<RRef<Tensor>>, List<Integer>, List<?>,
                                        RemoteOptimizer>
                                        remote(
                                                "worker0",
                                                RemoteOptimizer::create,
                                                constructor,
                                                List.of(parameter),
                                                List.of(0),
                                                List.of(SGD.options(1)))) {
            assertUnknownToStranger(() ->
                    stranger.runSync("worker0", RemoteOptimizer::step, optimizer, context.id()));
        }
    }

    /** Any thread of a worker can use the id. */
    @Test
    void workerOfTheContextTakesAStep() {
        try (RRef<Tensor> parameter = friend.rref(leaf);
                DistributedOptimizer optimizer =
                        DistributedOptimizer.create(
                                friend, SGD::new, List.of(parameter), SGD.options(0.25))) {
            InprocWorkers.onThread(
                            () -> {
                                optimizer.step(context);
                                return null;
                            })
                    .join();
        }
        assertTrue(Tensor.ones(2, 2).mul(0.5).equal(leaf.detach()), leaf::toString);
        leaf.data(Tensor.ones(2, 2));
    }

    /**
     * The key of a context is sent to its workers only: not to the sender of a tensor in another.
     */
    @ParameterizedTest
    @EnumSource(BackwardMode.class)
    void rootOfAnotherContextIsRefusedByItsReceiver(BackwardMode mode) {
        Tensor root = InprocWorkers.onThread(this::receiveInAnother).join();
        int before = TappedBackend.agent("worker0").sentTo(STRANGER);
        RpcException refused =
                assertThrows(
                        RpcException.class,
                        () -> context.backward(new BackwardOptions(mode, true), root));
        String text = String.valueOf(refused.getMessage());
        assertTrue(text.contains("received in another autograd context"), text);
        assertEquals(before, TappedBackend.agent("worker0").sentTo(STRANGER), "requests");
    }

    private Tensor receiveInAnother() {
        try (AutogradContext _ = DistAutograd.context(friend)) {
            return friend.rpcSync("worker3", Ops::mul, leaf, leaf).sum();
        }
    }

    @Test
    void graphIsCollectedFromTheContextsWorkersOnly() {
        int before = TappedBackend.agent("worker0").sentTo(STRANGER);
        GraphView view = GraphView.of(friend, context, loss);
        assertEquals(2, view.arrows().stream().filter(GraphView.Arrow::remote).count());
        assertEquals(before, TappedBackend.agent("worker0").sentTo(STRANGER), "requests");
    }

    @Test
    void workersOfTheContextUseItsIdInCalls() {
        long id = context.id();
        assertEquals(0, friend.rpcSync("worker1", Products::gradientCount, id));
        assertEquals(Map.of(), friend.rpcSync("worker1", AutogradOps::getGradients, id));
        assertEquals(1, friend.rpcSync("worker0", AutogradOps::getGradients, id).size());
    }
}
