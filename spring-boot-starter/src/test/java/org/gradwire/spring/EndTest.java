package org.gradwire.spring;

import static org.gradwire.spring.Contexts.alone;
import static org.gradwire.spring.Contexts.await;
import static org.gradwire.spring.Contexts.newPlace;
import static org.gradwire.spring.Contexts.start;
import static org.gradwire.spring.Contexts.worker;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.spring.functions.Jobs;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

class EndTest {

    /** The observed events, in order. */
    record Events(List<String> list) {}

    /**
     * A bean that makes a call when it is stopped, as the last lifecycle bean, and when destroyed.
     */
    static final class Caller implements SmartLifecycle, DisposableBean {
        private final Events events;
        private final Rpc rpc;
        private volatile boolean running;

        Caller(Events events, Rpc rpc) {
            this.events = events;
            this.rpc = rpc;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            events.list().add("stop: " + rpc.rpcSync("worker0", Jobs::greet, "you"));
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MIN_VALUE;
        }

        @Override
        public void destroy() {
            events.list().add("destroy: " + rpc.rpcSync("worker0", Jobs::greet, "you"));
        }
    }

    @Test
    void workerShutsDownAfterTheBeansThatUseIt() {
        var events = new Events(new CopyOnWriteArrayList<>());
        var worker = new AtomicReference<Rpc>();
        alone().withBean(Events.class, () -> events)
                .withBean(Caller.class)
                .run(context -> worker.set(context.getBean(Rpc.class)));
        assertEquals(
                List.of("stop: hello you from worker0", "destroy: hello you from worker0"),
                events.list());
        assertHasLeft(worker.get());
    }

    @Test
    void workerServesUntilTheOthersLeaveToo() throws Exception {
        String place = newPlace();
        var closing = new CountDownLatch(1);
        var other =
                start(
                        worker(place, 1)
                                .withPropertyValues("gradwire.spring.shutdown-timeout=0s")
                                .withInitializer(context ->
                                        context.addApplicationListener(event -> {
                                            if (event instanceof ContextClosedEvent) {
                                                closing.countDown();
                                            }
                                        })),
                        _ -> {});
        worker(place, 0)
                .run(context -> {
                    await(closing);
                    assertEquals(
                            "hello you from worker1",
                            context.getBean(Rpc.class).rpcSync("worker1", Jobs::greet, "you"));
                });
        await(other);
    }

    @Test
    void shutdownWaitsForAPeerAtMostTheTimeout() throws Exception {
        String place = newPlace();
        var mayLeave = new CountDownLatch(1);
        var other = start(worker(place, 1), _ -> await(mayLeave));
        String logged =
                run(worker(place, 0).withPropertyValues("gradwire.spring.shutdown-timeout=100ms"));
        assertTrue(logged.contains("the orderly shutdown of the group failed"), logged);
        mayLeave.countDown();
        await(other);
    }

    /** Without a timeout, this ends only because the peer is known to be lost. */
    @Test
    void shutdownDoesNotWaitForALostPeer() throws Exception {
        String place = newPlace();
        var other = start(worker(place, 1), context -> context.getBean(Rpc.class).shutdownNow());
        String logged =
                run(worker(place, 0).withPropertyValues("gradwire.spring.shutdown-timeout=0s"));
        await(other);
        assertTrue(logged.contains("worker1"), logged);
    }

    /** Start a context and close it, after which its worker has left; {@return its log} */
    private static String run(ApplicationContextRunner runner) {
        var worker = new AtomicReference<Rpc>();
        try (Logs logs = Logs.open()) {
            runner.run(context -> worker.set(context.getBean(Rpc.class)));
            assertHasLeft(worker.get());
            return logs.text();
        }
    }

    /** Without a timeout, an orderly shutdown would never end. */
    @Test
    void workerLeavesAtOnceIfTheContextFailsToStart() throws Exception {
        String place = newPlace();
        var other = start(worker(place, 1), EndTest::awaitLoss);
        worker(place, 0)
                .withPropertyValues("gradwire.spring.shutdown-timeout=0s")
                .withBean(Failing.class)
                .run(context -> assertNotNull(context.getStartupFailure()));
        await(other);
    }

    /** A bean whose creation fails. */
    static final class Failing {
        Failing(Rpc rpc) {
            throw new IllegalStateException("no tea for " + rpc.self());
        }
    }

    private static void awaitLoss(ApplicationContext context) {
        var health = context.getBean(RpcHealthIndicator.class);
        while (health.health().getStatus().equals(Status.UP)) {
            Thread.onSpinWait(); // the test's time limit ends this
        }
    }

    private static void assertHasLeft(Rpc worker) {
        var failure = assertThrows(RpcException.class, worker::workers);
        assertTrue(
                failure.getMessage().contains("RPC has not been initialized"), failure::getMessage);
    }
}
