package org.gradwire.spring;

import static org.gradwire.spring.Contexts.alone;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.spring.functions.Jobs;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

class MetricsTest {
    private final MockClock clock = new MockClock();

    private ApplicationContextRunner measured() {
        return alone().withBean(MockClock.class, () -> clock)
                .withConfiguration(
                        AutoConfigurations.of(
                                MetricsAutoConfiguration.class,
                                SimpleMetricsExportAutoConfiguration.class,
                                CompositeMeterRegistryAutoConfiguration.class));
    }

    @Test
    void numericMetricsAreGauges() {
        measured()
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    Rpc rpc = context.getBean(Rpc.class);
                    Gauge contexts = registry.get("gradwire.num_autograd_contexts").gauge();
                    assertEquals("worker0", contexts.getId().getTag("worker"));
                    assertEquals(0, contexts.value());
                    try (var _ = DistAutograd.context(rpc)) {
                        clock.add(Duration.ofSeconds(1));
                        assertEquals(1, contexts.value());
                    }
                    assertEquals(
                            Double.parseDouble(rpc.debugInfo().get("agent.thread_pool_size")),
                            registry.get("gradwire.agent.thread_pool_size").gauge().value());
                    assertNull(registry.find("gradwire.agent.backend").gauge());
                });
    }

    @Test
    void oneScrapeCollectsMetricsOnce() {
        var taken = new AtomicInteger();
        var snapshot =
                new MetricsSnapshot(
                        () ->
                                Map.of(
                                        "a",
                                        Integer.toString(taken.incrementAndGet()),
                                        "b",
                                        Integer.toString(-taken.get()),
                                        "words",
                                        "in words"),
                        clock);
        assertEquals(List.of("a", "b"), snapshot.numbers().stream().sorted().toList());
        clock.add(Duration.ofSeconds(1));
        assertEquals(2, snapshot.value("a"));
        assertEquals(-2, snapshot.value("b"));
        assertTrue(Double.isNaN(snapshot.value("words")));
        assertTrue(Double.isNaN(snapshot.value("gone")));
        clock.add(Duration.ofMillis(999));
        assertEquals(2, snapshot.value("a"));
        clock.add(Duration.ofMillis(1));
        assertEquals(-3, snapshot.value("b"));
        assertEquals(3, taken.get());
    }

    @Test
    void callsAreMeasuredByFunctionAndOutcome() {
        measured()
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    Rpc rpc = context.getBean(Rpc.class);
                    var _ = rpc.rpcSync("worker0", Jobs::greet, "you");
                    var _ = rpc.rpcSync("worker0", Jobs::greet, "you");
                    assertThrows(
                            RemoteException.class,
                            () -> rpc.rpcSync("worker0", Jobs::fail, "no more tea"));
                    for (String side : List.of("client", "server")) {
                        assertEquals(2, calls(registry, side, "greet", "SUCCESS").count(), side);
                        assertEquals(1, calls(registry, side, "fail", "ERROR").count(), side);
                    }
                });
    }

    private static Timer calls(
            MeterRegistry registry, String side, String function, String outcome) {
        Timer timer =
                registry.find("gradwire." + side + ".calls")
                        .tags("worker", "worker0", "outcome", outcome)
                        .tag("function", Jobs.class.getName() + "." + function)
                        .timer();
        assertNotNull(timer, () -> "no timer of " + function + " among " + registry.getMeters());
        return timer;
    }

    @Test
    void workerStartsWithoutMicrometer() {
        alone().withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> {
                    assertNull(context.getStartupFailure());
                    assertEquals("worker0", context.getBean(Rpc.class).self().name());
                    assertFalse(context.containsBean("gradwireMetrics"));
                });
    }
}
