package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.Edge;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.autograd.Node;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cases of custom autograd functions in distributed passes: which memory gradients keep, and hooks.
 */
public abstract class FunctionCases extends AutogradSuite {

    /** For subclasses. */
    protected FunctionCases() {}

    /**
     * Adds its inputs; its gradient records the memory of the incoming gradient and returns it for
     * each input.
     */
    private static final class Sum extends AutogradFunction {
        private @Nullable Tensor given;

        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return inputs.length == 1 ? inputs : new Tensor[] {inputs[0].add(inputs[1])};
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            given = gradients[0];
            return context.inputs() == 1 ? gradients : new Tensor[] {gradients[0], gradients[0]};
        }

        Tensor given() {
            Tensor gradient = given;
            assertNotNull(gradient);
            return gradient;
        }
    }

    /** Produces a gradient of one expanded number. */
    private static final class ExpandedGradient extends AutogradFunction {
        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            context.put("shape", inputs[0].shape());
            return new Tensor[] {Tensor.of(1f)};
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            return new Tensor[] {Tensor.ones(1).expand(context.get("shape", int[].class))};
        }
    }

    private static Tensor normal(Rank self, int number, int... shape) {
        return Tensor.randn(new SplittableRandom(self.id() * 31L + number), shape)
                .requiresGrad(true);
    }

    private static Tensor gradient(AutogradContext context, Tensor variable) {
        Tensor gradient = context.gradients().get(variable);
        assertNotNull(gradient);
        return gradient;
    }

    @Case("DA-090")
    void gradientsAreKeptWithoutACopyWhenNobodyElseSeesThem() {
        world(2).run(self -> {
            Tensor a = normal(self, 1, 5, 6);
            Tensor b = normal(self, 2, 5, 6);
            var sum = new Sum();
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                context.backward(new ExpandedGradient().apply(sum.apply(a, b)));
                assertFalse(sum.given().sharesStorage(gradient(context, a)));
                assertFalse(sum.given().sharesStorage(gradient(context, b)));
            }
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                context.backward(sum.apply(a).select(0, 1).select(0, 0));
                assertTrue(sum.given().sharesStorage(gradient(context, a)));
            }
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                context.backward(sum.apply(a, b).select(0, 1).select(0, 0));
                assertFalse(gradient(context, a).sharesStorage(gradient(context, b)));
                assertFalse(sum.given().sharesStorage(gradient(context, a)));
                assertFalse(sum.given().sharesStorage(gradient(context, b)));
            }
        });
    }

    @Case("DA-092")
    void postHooksOfOneAccumulatorRunOnceAfterAllIsSummed() {
        world(2).run(self -> {
            var counter = new AtomicInteger();
            Tensor t = Tensor.rand(new SplittableRandom(self.id()), 10, 10);
            t.requiresGrad(true);
            Tensor a = t.add(t);
            Node add = a.gradFn();
            assertNotNull(add);
            List<Edge> edges = add.nextEdges();
            assertSame(edges.getFirst().node(), edges.getLast().node());
            edges.getFirst().node().addPostHook((_, _) -> counter.addAndGet(1));
            edges.getFirst().node().addPostHook((_, _) -> counter.addAndGet(2));
            edges.getLast().node().addPostHook((_, _) -> counter.addAndGet(2));
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                context.backward(a.sum());
                assertEquals(5, counter.get());
                Map<Tensor, Tensor> gradients = context.gradients();
                assertEquals(1, gradients.size());
                assertTrue(gradients.containsKey(t));
            }
        });
    }

    @Test
    void functionOfARemoteFunctionRunsBackwardWhereItRanForward() {
        world(WORLD_SIZE)
                .run(self -> {
                    Tensor a = random(self, 1);
                    Tensor b = random(self, 2);
                    String to = self.roundRobin();
                    int calls = 4;
                    Tensor local = a.sin().mul(b.sin()).mul(calls).sum();
                    List<@Nullable Tensor> expected = localGradients(List.of(local), List.of(a, b));
                    try (AutogradContext context = DistAutograd.context(self.rpc())) {
                        List<RpcFuture<Tensor>> futures = new ArrayList<>();
                        for (int i = 0; i < calls; i++) { // on several threads of the callee
                            futures.add(
                                    self.rpc()
                                            .rpcAsync(to, AutogradFunctions::productOfSines, a, b));
                        }
                        List<Tensor> roots = new ArrayList<>();
                        futures.forEach(future -> roots.add(future.join().sum()));
                        verify(context, roots, expected, List.of(a, b));
                    }
                });
    }

    @Test
    void anomalyOfARemoteFunctionNamesItsCallSite() {
        world(2).run(self -> {
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                Tensor root =
                        self.rpc()
                                .rpcSync(
                                        self.roundRobin(),
                                        AutogradFunctions::anomalousRoot,
                                        random(self, 1));
                assertFails(
                        RpcException.class,
                        "Function 'SqrtBackward0' returned nan values in its 0th output\\. It was recorded by .*AutogradFunctions\\.anomalousRoot\\(AutogradFunctions\\.java:\\d+\\)",
                        () -> context.backward(root.sum()));
            }
        });
    }
}
