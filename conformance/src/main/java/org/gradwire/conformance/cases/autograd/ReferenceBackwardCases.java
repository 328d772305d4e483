package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Action4;
import org.gradwire.rpc.RpcFunction.Function0;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cases of backward passes through tensors behind references. */
public abstract class ReferenceBackwardCases extends AutogradSuite {

    /** For subclasses. */
    protected ReferenceBackwardCases() {}

    @Case("DA-058")
    void throughAReferenceOfTheCallee() {
        world(WORLD_SIZE)
                .run(self -> {
                    String callee = self.roundRobin();
                    throughReference(
                            self, callee, callee, AutogradFunctions::ones, random(self, 2));
                });
    }

    @Case("DA-059")
    void manyWorkersUseReferencesOfOne() {
        world(WORLD_SIZE)
                .run(self -> {
                    if (self.id() > 0) {
                        throughReference(
                                self,
                                "worker0",
                                "worker0",
                                AutogradFunctions::ones,
                                random(self, 2));
                    }
                });
    }

    @Case("DA-060")
    void throughAReferenceOfAThirdWorker() {
        world(WORLD_SIZE)
                .run(self ->
                        throughReference(
                                self,
                                self.name(1),
                                self.name(2),
                                AutogradFunctions::ones,
                                random(self, 2)));
    }

    /**
     * S-RREF: add a tensor to its owner's tensor, on a worker.
     *
     * @param maker makes the owner's tensor, always with the same elements
     */
    static void throughReference(
            Rank self, String callee, String owner, Function0<Tensor> maker, Tensor b)
            throws Exception {
        Rpc rpc = self.rpc();
        Tensor local = maker.call();
        List<@Nullable Tensor> expected =
                localGradients(List.of(local.add(b).sum()), List.of(local, b));
        try (AutogradContext context = DistAutograd.context(rpc);
                RRef<Tensor> a = rpc.remote(owner, maker);
                RRef<Tensor> result =
                        callee.equals(owner)
                                ? rpc.remote(callee, AutogradFunctions::addToLocal, a, b)
                                : rpc.remote(callee, AutogradFunctions::addAtOwner, owner, a, b)) {
            context.backward(result.toHere().sum());
            assertClose(required(expected.getLast()), context.gradients().get(b));
            assertTrue(
                    rpc.rpcSync(
                            owner,
                            AutogradFunctions::ownerHasGradient,
                            context.id(),
                            a,
                            required(expected.getFirst())));
        }
    }

    private static Tensor required(@Nullable Tensor gradient) {
        assertNotNull(gradient);
        return gradient;
    }

    @Case("DA-061")
    void trainersLeaveTheirGradientsWithTheServer() {
        world(WORLD_SIZE).run(self -> train(self, AutogradFunctions::ones, random(self, 2)));
    }

    @Case("DA-062")
    void trainersOfScriptFunctionsLeaveTheirGradientsWithTheServer() {
        world(WORLD_SIZE)
                .run(self ->
                        train(
                                self,
                                AutogradFunctions::scriptOnes,
                                AutogradFunctions::trainByScript,
                                random(self, 2)));
    }

    /** S-PS: each worker is a parameter server for the others. */
    static void train(Rank self, Function0<Tensor> maker, Tensor input) throws Exception {
        train(self, maker, AutogradFunctions::train, input);
    }

    private static void train(
            Rank self,
            Function0<Tensor> maker,
            Action4<RRef<Tensor>, Tensor, String, Integer> trainer,
            Tensor input)
            throws Exception {
        Rpc rpc = self.rpc();
        Tensor local = maker.call();
        List<@Nullable Tensor> expected =
                localGradients(List.of(local.add(input).sum()), List.of(local));
        try (RRef<Tensor> parameter = rpc.remote(self.name(), maker)) {
            List<RpcFuture<@Nullable Void>> trainers = new ArrayList<>();
            for (int distance = 1; distance < WORLD_SIZE; distance++) {
                trainers.add(
                        rpc.runAsync(
                                self.name(distance),
                                trainer,
                                parameter,
                                input,
                                self.name(),
                                distance));
            }
            for (int distance = 1; distance < WORLD_SIZE; distance++) {
                long id = CaseState.of(rpc).awaitRpcDone(distance);
                assertOnlyGradient(rpc, id, parameter, required(expected.getFirst()));
            }
            rpc.runSync(self.name(), CaseState::setRpcDone, -1L, 0);
            trainers.forEach(RpcFuture::join);
        }
    }

    /** Assert that a trainer's context has the gradient of the server's parameter only. */
    private static void assertOnlyGradient(
            Rpc rpc, long contextId, RRef<Tensor> parameter, Tensor expected) {
        Map<Tensor, Tensor> gradients = DistAutograd.gradients(rpc, contextId);
        assertEquals(1, gradients.size());
        assertSame(parameter.toHere(), gradients.keySet().iterator().next());
        assertClose(expected, gradients.get(parameter.toHere()));
    }
}
