package org.gradwire.junit.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.junit.Worker;
import org.gradwire.junit.Workers;
import org.gradwire.junit.tests.functions.Jobs;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tests that other tests run, and that record their observations. */
final class Samples {
    /** The first worker of each group. */
    static final List<Rpc> SEEN = new CopyOnWriteArrayList<>();

    static final List<String> NOTES = new CopyOnWriteArrayList<>();
    private static final List<Object> OPEN = new CopyOnWriteArrayList<>();

    private Samples() {}

    static void forget() {
        SEEN.clear();
        NOTES.clear();
        OPEN.clear();
    }

    private static void useAll(List<Rpc> all) {
        SEEN.add(all.getFirst());
        NOTES.add(all.size() + " workers");
        for (Rpc caller : all) {
            for (Rpc callee : all) {
                assertEquals(9, caller.rpcSync(callee.self().name(), Jobs::square, 3));
            }
        }
    }

    private static void useReference(Rpc rpc) {
        try (RRef<Integer> value = rpc.remote("worker1", Jobs::square, 3)) {
            assertEquals(9, value.toHere());
        }
    }

    @GradwireWorkers(3)
    static class Fresh {
        @Test
        void one(List<Rpc> all) {
            useAll(all);
        }

        @Test
        void another(List<Rpc> all) {
            useAll(all);
        }

        @Test
        @GradwireWorkers(1)
        void ofItsOwnSize(List<Rpc> all) {
            useAll(all);
        }
    }

    @GradwireWorkers(2)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class OneInstance {
        @RepeatedTest(2)
        void repeated(Workers workers) {
            useAll(workers.all());
        }
    }

    @GradwireWorkers(2)
    static class Injected {
        @BeforeEach
        void before(Rpc first) {
            SEEN.add(first);
        }

        @Test
        void all(Rpc first, @Worker(1) Rpc second, List<Rpc> all, Workers workers) {
            assertSame(SEEN.getLast(), first);
            assertEquals(List.of(first, second), all);
            assertEquals(all, workers.all());
            assertEquals(2, workers.size());
            assertSame(second, workers.get(1));
            assertEquals("worker1", second.self().name());
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 3})
        void afterArguments(int x, @Worker(1) Rpc rpc) {
            NOTES.add("square " + rpc.rpcSync("worker0", Jobs::square, x));
        }

        @AfterEach
        void after(Workers workers) {
            assertSame(SEEN.getLast(), workers.get(0));
            assertEquals(16, workers.get(1).rpcSync("worker0", Jobs::square, 4));
        }
    }

    @GradwireWorkers(2)
    static class Outer {
        @Nested
        class Inner {
            @Test
            void asOuter(List<Rpc> all) {
                useAll(all);
            }

            @Nested
            @GradwireWorkers(3)
            class WithMore {
                @Test
                void asItSays(List<Rpc> all) {
                    useAll(all);
                }
            }
        }
    }

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @GradwireWorkers(2)
    @interface Pair {}

    @Pair
    static class Composed {
        @Test
        void asTheAnnotationSays(List<Rpc> all) {
            useAll(all);
        }
    }

    static class Inheriting extends Fresh {}

    @GradwireWorkers(2)
    static class Parallel {
        private static final CountDownLatch ALL = new CountDownLatch(4);

        private static void meet(List<Rpc> all) throws InterruptedException {
            ALL.countDown();
            assertTrue(ALL.await(30, TimeUnit.SECONDS), "the tests do not run in parallel");
            useAll(all);
        }

        @Test
        void first(List<Rpc> all) throws InterruptedException {
            meet(all);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1, 2})
        void others(int number, List<Rpc> all) throws InterruptedException {
            meet(all);
        }
    }

    @GradwireWorkers(2)
    static class Leaking {
        @Test
        void reference(Rpc rpc) {
            OPEN.add(rpc.remote("worker1", Jobs::square, 3));
        }

        @Test
        void context(Rpc rpc) {
            OPEN.add(DistAutograd.context(rpc));
        }

        @Test
        @GradwireWorkers(value = 2, timeoutSeconds = 1)
        void call(Rpc rpc) {
            OPEN.add(rpc.rpcAsync("worker1", Jobs::block));
        }

        @Test
        @GradwireWorkers(value = 2, simulated = true, seed = 11)
        void inSimulatedTime(Rpc rpc) {
            OPEN.add(rpc.remote("worker1", Jobs::square, 3));
        }
    }

    static class NotEnding {
        @Test
        @GradwireWorkers(value = 2, timeoutSeconds = 1, checkLeaks = false)
        void callUnderWay(Rpc rpc) {
            SEEN.add(rpc);
            OPEN.add(rpc.rpcAsync("worker1", Jobs::block));
        }
    }

    @GradwireWorkers(2)
    static class LeavingNothing {
        @Test
        @GradwireWorkers(value = 2, checkLeaks = false)
        void notLookedFor(Rpc rpc) {
            OPEN.add(rpc.remote("worker1", Jobs::square, 3));
        }

        @Test
        void closed(Rpc rpc) {
            useReference(rpc);
        }

        @Test
        void callsThatEnd(Rpc rpc) {
            for (int i = 0; i < 100; i++) {
                OPEN.add(rpc.rpcAsync("worker1", Jobs::square, i));
            }
        }

        @Test
        void workerThatTheTestEnds(@Worker(1) Rpc rpc) {
            rpc.shutdownNow();
        }

        @Test
        @GradwireWorkers(
                value = 2,
                backend = "faulty",
                settings = {
                    "gradwire.faulty.messages-to-delay=",
                    "gradwire.faulty.num-fail-sends=1"
                })
        void overFaulty(List<Rpc> all) {
            useAll(all);
            useReference(all.getFirst());
        }

        @Test
        @GradwireWorkers(value = 2, backend = "tensorpipe")
        void overTensorpipe(List<Rpc> all) {
            useAll(all);
            useReference(all.getFirst());
        }

        @Test
        @GradwireWorkers(value = 3, simulated = true)
        void inSimulatedTime(List<Rpc> all) {
            useAll(all);
            useReference(all.getFirst());
        }
    }

    static class Failing {
        @Test
        @GradwireWorkers(2)
        void withoutSeed(Rpc rpc) {
            SEEN.add(rpc);
            fail("on purpose");
        }

        @Test
        @GradwireWorkers(value = 2, backend = "faulty", seed = 7)
        void underFaults() {
            fail("on purpose");
        }

        @Test
        @GradwireWorkers(value = 2, seed = 8)
        void whichDrawsItself(Workers workers) {
            fail("drawn from " + workers.seed());
        }
    }

    static class Simulated {
        @Test
        @GradwireWorkers(value = 3, simulated = true)
        void noted(Workers workers) {
            useAll(workers.all());
            Rpc rpc = workers.get(0);
            NOTES.set(
                    0,
                    "%d %s"
                            .formatted(
                                    workers.seed(),
                                    Objects.requireNonNull(
                                            rpc.debugInfo().get("simulation.trace"))));
            fail("on purpose");
        }
    }
}
