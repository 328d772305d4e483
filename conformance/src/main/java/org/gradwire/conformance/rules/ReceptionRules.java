package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about copies and memory of received messages. */
final class ReceptionRules {
    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SEND-6",
                            "MUST deliver messages to oneself as copies, like those to others.",
                            "a shortcut that delivers the sender's own buffers",
                            2,
                            ReceptionRules::copiesToItself),
                    Rule.of(
                            "OWN-4",
                            "MUST receive buffers into memory from the context's allocator, of the kind that was sent.",
                            "an array that is created directly, a kind that is not transmitted",
                            ReceptionRules::allocatesWhereItIsTold));

    private ReceptionRules() {}

    private static void copiesToItself(AgentWorld world) {
        float[] own = {1, 2, 3};
        var seen = new AtomicReference<@Nullable MemorySegment>();
        world.agent(0)
                .behave((from, request, replies) -> {
                    seen.set(request.buffers().getFirst());
                    TestAgent.echo(from, request, replies);
                });
        var message =
                new Message(
                        MessageTypes.UDF_CALL, new byte[] {9}, List.of(MemorySegment.ofArray(own)));
        Outcome outcome = world.agent(0).send(0, message, world.patienceMillis());
        check(
                outcome.await(world.patienceMillis()) && outcome.reply() != null,
                "a request to oneself got no reply: %s",
                outcome.failure());
        own[0] = 99;
        MemorySegment arrived = seen.get();
        check(
                arrived != null && arrived.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0) == 1,
                "a change of the sender's array shows in the message that it sent to itself");
    }

    private static void allocatesWhereItIsTold(BackendProvider provider, BackendUnderTest backend) {
        Set<Object> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Long> addresses = ConcurrentHashMap.newKeySet();
        BufferAllocator plain = BufferAllocator.plain();
        try (var world = new AgentWorld(provider, backend)) {
            world.allocateBy((kind, bytes) -> {
                MemorySegment segment = plain.allocate(kind, bytes);
                synchronized (arrays) {
                    segment.heapBase().ifPresent(arrays::add);
                }
                addresses.add(segment.address());
                return segment;
            });
            world.add(0);
            world.add(1);
            world.connectAll();
            List<MemorySegment> sent =
                    List.of(
                            MemorySegment.ofArray(new byte[5_001]),
                            MemorySegment.ofArray(new short[1_000]),
                            MemorySegment.ofArray(new int[1_000]),
                            MemorySegment.ofArray(new long[50_000]),
                            MemorySegment.ofArray(new float[1_000]),
                            MemorySegment.ofArray(new double[1_000]),
                            Arena.ofAuto().allocate(300_000, Long.BYTES));
            for (int to : List.of(0, 1)) {
                Outcome outcome =
                        world.agent(0)
                                .send(
                                        to,
                                        request(new byte[1], sent.toArray(MemorySegment[]::new)),
                                        world.patienceMillis());
                List<MemorySegment> arrived =
                        answer(world, outcome, "a request of all kinds").buffers();
                check(arrived.size() == sent.size(), "%d buffers arrived", arrived.size());
                for (int i = 0; i < sent.size(); i++) {
                    checkPlace(sent.get(i), arrived.get(i), arrays, addresses);
                }
            }
        }
    }

    private static void checkPlace(
            MemorySegment sent, MemorySegment arrived, Set<Object> arrays, Set<Long> addresses) {
        Object base = arrived.heapBase().orElse(null);
        Class<?> expected = sent.heapBase().<Class<?>>map(Object::getClass).orElse(null);
        check(
                expected == null || (base != null && base.getClass() == expected),
                "a buffer over %s arrived over %s",
                expected,
                base == null ? "native memory" : base.getClass());
        boolean isAllocated;
        synchronized (arrays) {
            isAllocated =
                    base == null ? addresses.contains(arrived.address()) : arrays.contains(base);
        }
        check(
                isAllocated,
                "a buffer of %d bytes arrived in memory that is not the allocator's",
                arrived.byteSize());
    }
}
