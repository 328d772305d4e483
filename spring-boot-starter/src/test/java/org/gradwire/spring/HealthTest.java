package org.gradwire.spring;

import static org.gradwire.spring.Contexts.alone;
import static org.gradwire.spring.Contexts.await;
import static org.gradwire.spring.Contexts.newPlace;
import static org.gradwire.spring.Contexts.start;
import static org.gradwire.spring.Contexts.worker;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;

class HealthTest {

    private static Health health(ApplicationContext context) {
        return context.getBean("gradwireHealthIndicator", RpcHealthIndicator.class).health();
    }

    @Test
    void workerIsUp() {
        alone().run(context ->
                assertEquals(
                        Health.up()
                                .withDetail("name", "worker0")
                                .withDetail("id", 0)
                                .withDetail("backend", "inproc")
                                .withDetail("workers", 1)
                                .build(),
                        health(context)));
    }

    @Test
    void workerThatLeftIsDown() {
        alone().run(context -> {
            context.getBean(Rpc.class).shutdown();
            Health health = health(context);
            assertEquals(Status.DOWN, health.getStatus());
            assertEquals("worker0", health.getDetails().get("name"));
            String error = String.valueOf(health.getDetails().get("error"));
            assertTrue(error.contains("RPC has not been initialized"), error);
        });
    }

    @Test
    void groupWithALostPeerIsDown() throws Exception {
        String place = newPlace();
        var other = start(worker(place, 1), context -> context.getBean(Rpc.class).shutdownNow());
        worker(place, 0)
                .run(context -> {
                    while (health(context).getStatus().equals(Status.UP)) {
                        Thread.onSpinWait(); // the test's time limit ends this
                    }
                    Health health = health(context);
                    assertEquals(Status.DOWN, health.getStatus());
                    assertEquals(2, health.getDetails().get("workers"));
                    String lost = String.valueOf(health.getDetails().get("lost"));
                    assertTrue(lost.startsWith("{worker1="), lost);
                });
        await(other);
    }

    @Test
    void dynamicGroupWithALostPeerIsUp() throws Exception {
        String place = newPlace();
        var runner =
                Contexts.empty()
                        .withPropertyValues(
                                "gradwire.backend=inproc",
                                "gradwire.group=dynamic",
                                "gradwire.rendezvous=" + place);
        runner.withPropertyValues("gradwire.rank=0", "gradwire.name=zero")
                .run(context -> {
                    Rpc rpc = context.getBean(Rpc.class);
                    await(
                            start(
                                    runner.withPropertyValues(
                                            "gradwire.rank=1", "gradwire.name=one"),
                                    other -> other.getBean(Rpc.class).shutdownNow()));
                    while (rpc.workers().size() > 1) {
                        Thread.onSpinWait(); // the test's time limit ends this
                    }
                    assertEquals(Status.UP, health(context).getStatus());
                    assertEquals(1, health(context).getDetails().get("workers"));
                });
    }

    @Test
    void healthCanBeSwitchedOff() {
        alone().withPropertyValues("management.health.gradwire.enabled=false")
                .run(context -> {
                    assertNull(context.getStartupFailure());
                    assertFalse(context.containsBean("gradwireHealthIndicator"));
                });
    }

    @Test
    void workerStartsWithoutTheClassesOfHealth() {
        alone().withClassLoader(new FilteredClassLoader(HealthIndicator.class.getPackageName()))
                .run(context -> {
                    assertNull(context.getStartupFailure());
                    assertEquals("worker0", context.getBean(Rpc.class).self().name());
                    assertFalse(context.containsBean("gradwireHealthIndicator"));
                });
    }
}
