package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Settings;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tensors whose device memory another worker copies, and messages of hostile members. */
class DeviceSharesTest {
    private static final int PEER = 3;
    private static final Device DEVICE = new Device("cuda", 1);
    private static final int DESCRIPTION = 10; // index in the message of a matrix
    private static final int ID = DESCRIPTION - 1;
    private static final int COUNT = ID - 1;
    private static final int SIZES = 5;

    private final SharingDouble sharing = new SharingDouble();
    private final List<List<Object>> answers = new ArrayList<>();
    private final DeviceShares shares =
            new DeviceShares(SharingDouble.worker(answers), () -> Map.of("cuda", sharing));
    private final TensorCodec codec = new TensorCodec((device, _) -> device, shares);

    /** {@return a message from or to another process} */
    private static WireDouble wire(int peer) {
        var wire = new WireDouble();
        wire.peer = peer;
        return wire;
    }

    private WireDouble offer() {
        WireDouble offer = wire(PEER);
        shares.writeOffer(offer.output());
        offer.items.set(0, -1L); // of another process
        return offer;
    }

    @BeforeEach
    void join() {
        shares.readOffer(offer().input());
    }

    private boolean reaches(int peer, Device device) {
        return shares.reaches(wire(peer).output(), device);
    }

    private static Tensor matrix() {
        return Tensor.of(1f, 2, 3, 4, 5, 6).reshape(2, 3).to(DEVICE);
    }

    private WireDouble sent() {
        WireDouble wire = wire(PEER);
        codec.encode(matrix(), wire.output());
        assertEquals(DESCRIPTION + 1, wire.items.size());
        return wire;
    }

    /** Handle the acknowledgement of a worker. */
    private void answer(int from, long id, byte[] answer) {
        WireDouble wire = wire(from);
        wire.items.addAll(List.of(id, answer));
        assertEquals(List.of(MessageTypes.DEVICE_COPIED_ACK), SharingDouble.replies(shares, wire));
    }

    private void assertRefused(WireDouble wire) {
        assertThrows(DecodingException.class, () -> codec.decode(wire.input()));
    }

    /** Check that no share is left over, and that further tensors arrive. */
    private void assertWorks() {
        answers.clear();
        int before = shares.size();
        WireDouble wire = sent();
        Tensor arrived = codec.decode(wire.input());
        assertTrue(arrived.equal(matrix()));
        assertEquals(DEVICE, arrived.device());
        long id = (long) wire.items.get(ID);
        assertEquals(id, answers.getFirst().get(0));
        assertArrayEquals(SharingDouble.ANSWER, (byte[]) answers.getFirst().get(1));
        assertEquals(before + 1, shares.size());
        answer(PEER, id, SharingDouble.ANSWER);
        assertEquals(before, shares.size());
    }

    @Test
    void tensorsAreKeptUntilTheirReceiverAnswers() {
        assertTrue(reaches(PEER, DEVICE));
        assertFalse(reaches(PEER + 1, DEVICE));
        assertWorks();
        assertEquals(0, shares.size());
    }

    @Test
    void answersToOthersTensorsAreRefused() {
        long id = (long) sent().items.get(ID);
        for (long other : new long[] {id + 1, id - 1, -1, Long.MAX_VALUE}) {
            assertThrows(DecodingException.class, () -> answer(PEER, other, SharingDouble.ANSWER));
        }
        assertThrows(DecodingException.class, () -> answer(PEER + 1, id, SharingDouble.ANSWER));
        assertEquals(1, shares.size());
        for (int i = 0; i < 3; i++) { // a reply may be sent again
            answer(PEER, id, SharingDouble.ANSWER);
            assertEquals(0, shares.size());
        }
    }

    /** The memory is released, since no other acknowledgement follows. */
    @ParameterizedTest
    @ValueSource(ints = {2, 64, 257})
    void answersOfAnotherLengthAreRefused(int length) {
        long id = (long) sent().items.get(ID);
        assertThrows(DecodingException.class, () -> answer(PEER, id, new byte[length]));
        assertEquals(0, shares.size());
        assertWorks();
    }

    @Test
    void anEmptyAnswerReleasesTheMemory() {
        answer(PEER, (long) sent().items.get(ID), new byte[0]);
        assertEquals(0, shares.size());
    }

    /** The sender need not keep the memory. */
    @Test
    void whatCannotBeCopiedIsRefusedWithAnEmptyAnswer() {
        for (byte[] description :
                new byte[][] {
                    {},
                    new byte[25],
                    SharingDouble.description(-1, 0, 24),
                    SharingDouble.description(1000, 0, 24),
                    SharingDouble.description(0, 0, 20),
                    SharingDouble.description(1, 0, 48),
                    SharingDouble.description(1, 1, 24),
                    SharingDouble.description(1, -1, 24)
                }) {
            answers.clear();
            WireDouble wire = sent();
            wire.items.set(DESCRIPTION, description);
            assertRefused(wire);
            assertEquals(1, answers.size());
            assertEquals(wire.items.get(ID), answers.getFirst().get(0));
            assertArrayEquals(new byte[0], (byte[]) answers.getFirst().get(1));
            answer(PEER, (long) wire.items.get(ID), new byte[0]);
        }
        WireDouble ofStranger = sent();
        ofStranger.peer = PEER + 1;
        assertRefused(ofStranger);
        answer(PEER, (long) ofStranger.items.get(ID), new byte[0]);
        assertEquals(0, shares.size());
        assertWorks();
    }

    @Test
    void countsThatDoNotFitTheShapeAreRefused() {
        for (long count :
                new long[] {0, -1, 5, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE}) {
            WireDouble wire = sent();
            wire.items.set(COUNT, count);
            wire.items.set(DESCRIPTION, SharingDouble.description(1, 0, count * 4));
            assertRefused(wire);
        }
        for (int size : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            WireDouble wire = sent();
            wire.items.set(SIZES, size);
            assertRefused(wire);
        }
        for (int dims : new int[] {-1, 65, Integer.MAX_VALUE}) {
            WireDouble wire = sent();
            wire.items.set(SIZES - 1, dims);
            assertRefused(wire);
        }
        assertWorks();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "cuda:4", "cuda:-1", "", "tpu:0"})
    void devicesThatDoNotExistAreRefused(String device) {
        WireDouble wire = sent();
        wire.items.set(1, device);
        assertRefused(wire);
        assertWorks();
    }

    @Test
    void stridesBeyondTheElementsAreRefused() {
        WireDouble wire = wire(PEER);
        codec.encode(matrix().t(), wire.output());
        assertTrue(codec.decode(wire.input()).equal(matrix().t()));
        for (int stride : new int[] {-1, 4, Integer.MAX_VALUE}) {
            wire.items.set(SIZES + 3, stride);
            assertRefused(wire);
        }
    }

    @Test
    void tensorsForALostWorkerAreReleased() {
        sent();
        long id = (long) sent().items.get(ID);
        assertEquals(2, shares.size());
        shares.onPeerLost(PEER + 1);
        assertEquals(2, shares.size());
        shares.onPeerLost(PEER);
        assertEquals(0, shares.size());
        assertEquals(1, sharing.closed);
        assertFalse(reaches(PEER, DEVICE));
        answer(PEER, id, SharingDouble.ANSWER); // late
        WireDouble late = wire(PEER); // of a thread that checked before the loss
        shares.write(matrix(), 6, late.output());
        assertEquals(0, shares.size());
    }

    /** A worker that sends no tensors of devices must not load a driver. */
    @Test
    void devicesAreSoughtAtTheFirstOfferOnly() {
        var unused =
                new DeviceShares(
                        SharingDouble.worker(answers),
                        () -> {
                            throw new AssertionError("nothing was offered");
                        });
        assertFalse(unused.reaches(wire(PEER).output(), DEVICE));
        unused.onPeerLost(PEER);
        assertEquals(0, unused.size());
        unused.close();
    }

    @Test
    void whereAllIsEncryptedNoDeviceMemoryIsOffered() {
        DeviceShares sealed = encrypting("all");
        WireDouble offer = wire(PEER);
        sealed.writeOffer(offer.output());
        assertEquals(List.of(ProcessHandle.current().pid(), 0), offer.items);
        assertFalse(reachesAfterOffer(sealed), "nor is another's used");
        assertTrue(reachesAfterOffer(encrypting("network")));
        assertTrue(reachesAfterOffer(encrypting("")));
    }

    private DeviceShares encrypting(String encryption) {
        return new DeviceShares(
                SharingDouble.worker(answers),
                DeviceShares.permitted(encryption(encryption), () -> Map.of("cuda", sharing)));
    }

    private boolean reachesAfterOffer(DeviceShares by) {
        by.readOffer(offer().input());
        return by.reaches(wire(PEER).output(), DEVICE);
    }

    private static Settings encryption(String value) {
        return new Settings() {
            @Override
            public Optional<String> find(String key) {
                assertEquals("gradwire.encryption", key);
                return Optional.of(value).filter(text -> !text.isEmpty());
            }

            @Override
            public String origin(String key) {
                return "test";
            }
        };
    }

    @Test
    void absurdOffersAreRefused() {
        for (int count : new int[] {-1, 17, Integer.MAX_VALUE}) {
            WireDouble offer = offer();
            offer.items.set(1, count);
            assertThrows(DecodingException.class, () -> shares.readOffer(offer.input()));
        }
        for (int count : new int[] {-1, 1025, Integer.MAX_VALUE}) {
            WireDouble offer = offer();
            offer.items.set(4, count);
            assertThrows(DecodingException.class, () -> shares.readOffer(offer.input()));
        }
        assertWorks();
    }

    /** Tensors for such peers are copied through host memory. */
    @Test
    void offersThatCannotBeOpenedAreNotUsed() {
        int last = offer().items.size() - 1;
        assertNotUsed(0, ProcessHandle.current().pid());
        assertNotUsed(2, "tpu");
        assertNotUsed(3, "another machine");
        assertNotUsed(last, SharingDouble.description(-1, 0, 512));
        WireDouble ofNoDevices = offer();
        ofNoDevices.items.set(5, "d9");
        ofNoDevices.items.set(6, "d9");
        shares.readOffer(ofNoDevices.input());
        assertFalse(reaches(PEER, DEVICE));
        assertTrue(reaches(PEER, new Device("cuda", 2)));
        assertTrue(codec.decode(hostCopy()).equal(Tensor.ones(DType.FLOAT32, 40)));
    }

    private void assertNotUsed(int at, Object value) {
        WireDouble offer = offer();
        offer.peer = PEER + 1;
        offer.items.set(at, value);
        shares.readOffer(offer.input());
        assertFalse(reaches(PEER + 1, DEVICE), value::toString);
    }

    private Input hostCopy() {
        WireDouble wire = wire(PEER);
        codec.encode(Tensor.ones(DType.FLOAT32, 40).to(DEVICE), wire.output());
        return wire.input();
    }
}
