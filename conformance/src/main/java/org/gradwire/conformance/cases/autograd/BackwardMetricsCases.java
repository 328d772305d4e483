package org.gradwire.conformance.cases.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.FunctionContext;
import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Rank;
import org.gradwire.profiler.Profile;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.ProfilerEvent;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cases of the metrics and profiler events of backward passes. */
public abstract class BackwardMetricsCases extends AutogradSuite {
    private static final String PREFIX = "torch::distributed::autograd::";
    private static final String PASSES = "num_current_backward_passes";
    private static final String CONTEXTS = "num_autograd_contexts";

    /** For subclasses. */
    protected BackwardMetricsCases() {}

    @Case("DA-053")
    void aProfileShowsThePassAndWhatWasSentAndReceived() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        Tensor loss =
                                rpc.rpcSync(
                                                self.roundRobin(),
                                                Ops::add,
                                                random(self, 1),
                                                random(self, 2))
                                        .sum();
                        try (Profiler profiler = Profiler.start(rpc)) {
                            context.backward(loss);
                            assertEvents(self, profiler.profile());
                        }
                    }
                });
    }

    private static void assertEvents(Rank self, Profile profile) {
        ProfilerEvent pass = only(profile, "backward");
        for (String part : List.of("SendRpcBackward", "RecvRpcBackward")) {
            ProfilerEvent event = only(profile, part);
            assertEquals(self.id(), event.nodeId());
            assertEquals(pass.id(), event.parent(), profile::table);
            assertTrue(pass.duration().compareTo(event.duration()) > 0, profile::table);
        }
    }

    private static ProfilerEvent only(Profile profile, String name) {
        List<ProfilerEvent> found = profile.named(PREFIX + name);
        assertEquals(1, found.size(), profile::table);
        return found.getFirst();
    }

    /** Identity function whose gradient records the number of passes. */
    private static final class Watching extends AutogradFunction {
        private final Rpc rpc;
        private final List<Integer> seen = new ArrayList<>();

        Watching(Rpc rpc) {
            this.rpc = rpc;
        }

        @Override
        protected Tensor[] forward(FunctionContext context, Tensor... inputs) {
            return inputs;
        }

        @Override
        protected Tensor[] backward(FunctionContext context, Tensor... gradients) {
            seen.add(metric(rpc, PASSES));
            return gradients;
        }
    }

    private static int metric(Rpc rpc, String name) {
        return Integer.parseInt(rpc.debugInfo().get(name));
    }

    @Case("DA-083")
    void figuresCountPassesAndContexts() {
        world(WORLD_SIZE)
                .run(self -> {
                    Rpc rpc = self.rpc();
                    var watching = new Watching(rpc);
                    long id;
                    try (AutogradContext context = DistAutograd.context(rpc)) {
                        id = context.id();
                        Tensor other = random(self, 2);
                        Tensor sum = addEverywhere(self, random(self, 1), other);
                        sum = addEverywhere(self, watching.apply(sum), other);
                        context.backward(sum.sum());
                        assertEquals(1, watching.seen.size());
                        assertBetweenOneAndFour(watching.seen.getFirst());
                        assertBetweenOneAndFour(metric(rpc, CONTEXTS));
                    }
                    for (int distance = 1; distance < WORLD_SIZE; distance++) {
                        rpc.runSync(self.name(distance), CaseState::setRpcDone, id, distance);
                    }
                    CleanUp.assertGone(self, id, WORLD_SIZE - 1);
                    Map<String, String> info = rpc.debugInfo();
                    assertEquals("0", info.get(PASSES));
                    assertEquals("0", info.get(CONTEXTS));
                    assertFalse(info.containsKey("stalled_backward_passes"), info.toString());
                });
    }

    private static Tensor addEverywhere(Rank self, Tensor start, Tensor other) {
        Tensor sum = start;
        for (int distance = 1; distance < WORLD_SIZE; distance++) {
            sum = self.rpc().rpcSync(self.name(distance), Ops::add, sum, other);
        }
        return sum;
    }

    private static void assertBetweenOneAndFour(int metric) {
        assertTrue(metric >= 1 && metric <= 4, () -> "is " + metric);
    }
}
