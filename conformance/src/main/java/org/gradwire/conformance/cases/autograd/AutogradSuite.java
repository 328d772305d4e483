package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFunction.Function2;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Base of the autograd suites: makes inputs and checks gradients. */
abstract class AutogradSuite extends NestedSuite {
    static final int WORLD_SIZE = 4;

    /** Return a random 3 x 3 tensor that requires a gradient. */
    static Tensor random(Rank self, int number) {
        return random(self, number, 3, 3);
    }

    /** Return a random tensor that requires a gradient. */
    static Tensor random(Rank self, int number, int... shape) {
        return Tensor.rand(new SplittableRandom(self.id() * 31L + number), shape)
                .requiresGrad(true);
    }

    static Tensor ones() {
        return Tensor.ones(3, 3).requiresGrad(true);
    }

    static Tensor zeros() {
        return Tensor.zeros(3, 3).requiresGrad(true);
    }

    /**
     * V, the local part: run backward from local roots.
     *
     * @return {@code grad} of each argument; null if it has none
     */
    static List<@Nullable Tensor> localGradients(List<Tensor> roots, List<Tensor> args) {
        roots.forEach(Tensor::backward);
        var gradients = new ArrayList<@Nullable Tensor>();
        args.forEach(arg -> gradients.add(arg.grad()));
        return gradients;
    }

    /**
     * V, the distributed part: run backward in the context and compare with the local gradients.
     */
    static void verify(
            AutogradContext context,
            List<Tensor> roots,
            List<@Nullable Tensor> expected,
            List<Tensor> args) {
        context.backward(roots.toArray(Tensor[]::new));
        assertGradients(context, expected, args);
    }

    /** A program that can run locally or with remote calls. */
    @FunctionalInterface
    interface Program {
        /** Return the root of the backward pass. */
        Tensor loss(Mode mode) throws Exception;
    }

    /**
     * V for several call modes: a program's gradients equal those of a local run.
     *
     * @return the local gradients
     */
    static List<@Nullable Tensor> compare(
            Rank self, List<Mode> modes, List<Tensor> args, Program program) throws Exception {
        List<@Nullable Tensor> expected = localGradients(List.of(program.loss(Mode.LOCAL)), args);
        for (Mode mode : modes) {
            try (AutogradContext context = DistAutograd.context(self.rpc())) {
                verify(context, List.of(program.loss(mode)), expected, args);
            }
        }
        return expected;
    }

    /** The same for the sum of the result of a binary function. */
    static List<@Nullable Tensor> compare(
            Rank self,
            List<Mode> modes,
            Function2<Tensor, Tensor, Tensor> function,
            Tensor a,
            Tensor b)
            throws Exception {
        return compare(
                self,
                modes,
                List.of(a, b),
                mode -> mode.run(self.rpc(), self.roundRobin(), function, a, b).sum());
    }

    /** S-NESTACC: a forwarded call, and two backward passes from its result. */
    static void accumulateNested(Rank self, Tensor a, Tensor b, Tensor expected) {
        Rpc rpc = self.rpc();
        try (AutogradContext context = DistAutograd.context(rpc)) {
            String first = self.roundRobin();
            Tensor sum =
                    rpc.rpcSync(first, AutogradFunctions::addElsewhere, a, b, self.roundRobin());
            Tensor loss = sum.sum();
            context.backward(BackwardOptions.fast().retainGraph(), loss);
            context.backward(loss);
            assertGradients(context, List.of(expected, expected), List.of(a, b));
        }
    }

    /**
     * S-MULTI: several backward passes from one loss.
     *
     * @return the gradients
     */
    static Map<Tensor, Tensor> passes(Rank self, int count, Tensor a, Tensor b, Tensor expected) {
        try (AutogradContext context = DistAutograd.context(self.rpc())) {
            Tensor loss = self.rpc().rpcSync(self.roundRobin(), Ops::add, a, b).sum();
            for (int i = 0; i < count; i++) {
                context.backward(BackwardOptions.fast().retainGraph(), loss);
            }
            assertGradients(context, List.of(expected, expected), List.of(a, b));
            return context.gradients();
        }
    }

    /** Assert that the context has exactly these gradients of these arguments. */
    static void assertGradients(
            AutogradContext context, List<@Nullable Tensor> expected, List<Tensor> args) {
        Map<Tensor, Tensor> gradients = context.gradients();
        int count = 0;
        for (int i = 0; i < args.size(); i++) {
            Tensor wanted = expected.get(i);
            if (wanted == null) {
                assertNull(gradients.get(args.get(i)), "argument " + i + " must have no gradient");
            } else {
                assertClose(wanted, gradients.get(args.get(i)));
                count++;
            }
        }
        assertEquals(count, gradients.size());
    }

    static void assertClose(Tensor expected, @Nullable Tensor actual) {
        assertNotNull(actual);
        assertEquals(expected.dtype(), actual.dtype());
        assertTrue(
                expected.allclose(actual, 1.3e-6, 1e-5),
                () -> "expected " + expected + ", but got " + actual);
    }

    /** Assert that a body fails with a message that contains a match. */
    static void assertFails(Class<? extends Throwable> type, String pattern, Executable attempt) {
        Throwable failure = assertThrows(type, attempt);
        assertTrue(
                Pattern.compile(pattern).matcher(String.valueOf(failure.getMessage())).find(),
                () -> "/%s/ is not in: %s".formatted(pattern, failure.getMessage()));
    }

    static AutogradContext contextOf(Rpc rpc, long id) {
        return DistAutograd.lookup(rpc, id);
    }

    /** Wait for all workers without messages, because some leave abruptly next. */
    static void meet(CountDownLatch all) throws InterruptedException {
        all.countDown();
        assertTrue(all.await(30, TimeUnit.SECONDS));
    }

    /** Wait for all workers. */
    static void barrier(Rank self) {
        self.rpc().barrier(Set.of());
    }
}
