package org.gradwire.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Application contexts with a worker over {@code inproc}. */
final class Contexts {
    private static final int PATIENCE_SECONDS = 60;

    private Contexts() {}

    /** {@return a new rendezvous} */
    static String newPlace() {
        return "inproc://" + UUID.randomUUID();
    }

    /** {@return a context with the auto-configurations and without properties} */
    static ApplicationContextRunner empty() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(
                                GradwireAutoConfiguration.class,
                                GradwireHealthAutoConfiguration.class,
                                GradwireMetricsAutoConfiguration.class));
    }

    /** {@return a context of a worker of a group of two} */
    static ApplicationContextRunner worker(String place, int rank) {
        return empty().withPropertyValues(
                        "gradwire.backend=inproc",
                        "gradwire.rendezvous=" + place,
                        "gradwire.rank=" + rank,
                        "gradwire.world-size=2");
    }

    /** {@return a context of a worker that is alone in its group} */
    static ApplicationContextRunner alone() {
        return worker(newPlace(), 0).withPropertyValues("gradwire.world-size=1");
    }

    /**
     * Run a context on a new thread; {@return a future that completes when the context is closed}
     */
    static CompletableFuture<Void> start(
            ApplicationContextRunner runner,
            ContextConsumer<AssertableApplicationContext> consumer) {
        var closed = new CompletableFuture<Void>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        runner.run(consumer);
                        closed.complete(null);
                    } catch (Throwable e) {
                        closed.completeExceptionally(e);
                    }
                });
        return closed;
    }

    static void await(CountDownLatch latch) throws InterruptedException, TimeoutException {
        if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("the latch was not counted down in time");
        }
    }

    static void await(CompletableFuture<?> future) throws Exception {
        var _ = future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
