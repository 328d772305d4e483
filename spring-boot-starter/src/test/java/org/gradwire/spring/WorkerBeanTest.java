package org.gradwire.spring;

import static org.gradwire.spring.Contexts.alone;
import static org.gradwire.spring.Contexts.await;
import static org.gradwire.spring.Contexts.newPlace;
import static org.gradwire.spring.Contexts.start;
import static org.gradwire.spring.Contexts.worker;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.UdfCodec;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spring.functions.Jobs;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

class WorkerBeanTest {

    @Test
    void twoContextsFormAGroupAndCallEachOther() throws Exception {
        String place = newPlace();
        var other =
                start(
                        worker(place, 1).withPropertyValues("gradwire.name=other"),
                        context ->
                                assertEquals(
                                        "hello you from worker0",
                                        context.getBean(Rpc.class)
                                                .rpcSync("worker0", Jobs::greet, "you")));
        worker(place, 0)
                .run(context -> {
                    assertNull(context.getStartupFailure());
                    Rpc rpc = context.getBean(Rpc.class);
                    assertEquals(new WorkerInfo(0, "worker0"), rpc.self());
                    assertEquals("hello me from other", rpc.rpcSync("other", Jobs::greet, "me"));
                });
        await(other);
    }

    @Test
    void everyContextHasItsOwnWorker() {
        alone().run(first ->
                alone().run(second -> {
                    Rpc one = first.getBean(Rpc.class);
                    Rpc two = second.getBean(Rpc.class);
                    assertFalse(one.equals(two));
                    assertEquals(List.of(one.self()), one.workers());
                    assertEquals(List.of(two.self()), two.workers());
                }));
    }

    @Test
    void workerOfTheApplicationReplacesTheBean() {
        var options = RpcOptions.builder("mine").rank(0).worldSize(1).backend("inproc");
        try (Rpc mine = Rpc.init(options.rendezvous(newPlace()).build())) {
            Contexts.empty()
                    .withBean("mine", Rpc.class, () -> mine)
                    .run(context -> {
                        assertNull(context.getStartupFailure());
                        assertSame(mine, context.getBean(Rpc.class));
                        assertTrue(context.containsBean("gradwireHealthIndicator"));
                    });
        }
    }

    @Test
    void disabledStarterAddsNoBean() {
        Contexts.empty()
                .withPropertyValues("gradwire.spring.enabled=false")
                .run(context -> {
                    assertNull(context.getStartupFailure());
                    assertEquals(List.of(), List.of(context.getBeanNamesForType(Rpc.class)));
                    assertFalse(context.containsBean("gradwireHealthIndicator"));
                    assertFalse(context.containsBean("gradwireMetrics"));
                });
    }

    @Test
    void codecBeansAreRegistered() {
        alone().withBean(Shouting.class)
                .run(context -> {
                    Rpc rpc = context.getBean(Rpc.class);
                    try (RpcScope _ = rpc.serialization().useCodec("shouting")) {
                        assertEquals(
                                "HELLO ME FROM WORKER0", rpc.rpcSync("worker0", Jobs::greet, "me"));
                    }
                });
    }

    /** A codec that writes texts in capitals. */
    static final class Shouting implements UdfCodec {
        @Override
        public String name() {
            return "shouting";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes, Type type) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
