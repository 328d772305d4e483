package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Random messages arrive unchanged, with the kinds of their buffers. */
class TransferPropertyTest {
    private final List<World> worlds = new ArrayList<>();

    /**
     * A message to create.
     *
     * @param buffers kind and number of elements of each
     */
    record Plan(int payload, List<Buffer> buffers, long seed) {
        record Buffer(ElementKind kind, int elements) {}
    }

    @BeforeProperty
    void start() {
        for (Calls.Way way : Calls.Way.values()) {
            worlds.add(new World(2, way.settings()));
        }
    }

    @AfterProperty
    void stop() {
        worlds.forEach(World::close);
        worlds.clear();
    }

    @Provide
    Arbitrary<Plan> plans() {
        Arbitrary<Integer> sizes =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(8, Arbitraries.integers().between(0, 300)),
                        net.jqwik.api.Tuple.of(3, Arbitraries.integers().between(0, 20_000)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(0, 200_000)));
        Arbitrary<Plan.Buffer> buffer =
                Combinators.combine(Arbitraries.of(ElementKind.values()), sizes)
                        .as(Plan.Buffer::new);
        return Combinators.combine(sizes, buffer.list().ofMaxSize(12), Arbitraries.longs())
                .as(Plan::new);
    }

    private static MemorySegment memory(Plan.Buffer buffer, Random random) {
        int n = buffer.elements;
        MemorySegment memory =
                switch (buffer.kind) {
                    case RAW -> Arena.ofAuto().allocate(n);
                    case BYTE -> MemorySegment.ofArray(new byte[n]);
                    case SHORT -> MemorySegment.ofArray(new short[n]);
                    case INT -> MemorySegment.ofArray(new int[n]);
                    case LONG -> MemorySegment.ofArray(new long[n]);
                    case FLOAT -> MemorySegment.ofArray(new float[n]);
                    case DOUBLE -> MemorySegment.ofArray(new double[n]);
                };
        byte[] content = new byte[(int) memory.byteSize()];
        random.nextBytes(content);
        MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
        return memory;
    }

    private static Message message(Plan plan) {
        var random = new Random(plan.seed);
        byte[] payload = new byte[plan.payload];
        random.nextBytes(payload);
        return World.request(
                payload,
                plan.buffers.stream()
                        .map(buffer -> memory(buffer, random))
                        .toArray(MemorySegment[]::new));
    }

    private static void assertArrived(Message sent, Message reply) {
        assertArrayEquals(sent.payload(), reply.payload());
        assertEquals(sent.buffers().size(), reply.buffers().size());
        for (int i = 0; i < sent.buffers().size(); i++) {
            MemorySegment there = sent.buffers().get(i);
            MemorySegment back = reply.buffers().get(i);
            assertSame(there, back);
            assertEquals(ElementKind.of(there), ElementKind.of(back));
        }
    }

    @Property(tries = 60)
    void messagesArriveAsTheyWereSent(@ForAll("plans") Plan plan) throws Exception {
        for (World world : worlds) {
            Message sent = message(plan);
            assertArrived(sent, get(world.node(0).call(1, sent)));
            assertArrived(sent, get(world.node(1).call(1, sent)));
        }
    }

    @Property(tries = 15)
    void messagesThatCrossEachOtherDoNotMix(@ForAll List<@net.jqwik.api.From("plans") Plan> plans)
            throws Exception {
        for (World world : worlds) {
            List<Message> sent = new ArrayList<>();
            List<CompletableFuture<Message>> replies = new ArrayList<>();
            for (Plan plan : plans) {
                for (int from = 0; from < 2; from++) {
                    Message message = message(plan);
                    sent.add(message);
                    replies.add(world.node(from).call(1 - from, message));
                }
            }
            for (int i = 0; i < sent.size(); i++) {
                assertArrived(sent.get(i), get(replies.get(i)));
            }
        }
    }
}
