package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.spi.device.DeviceException;
import org.gradwire.spi.device.DeviceMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Descriptions and answers that no Gradwire process sends. */
@NeedsFakeCuda
class HostileSharingTest {
    private static final int BYTES = 1000;
    private static final int SEGMENT = 2 << 20;
    private static final int MEMORY = 16; // where the handle of the segment is in a description
    private static final int OFFSET = MEMORY + 64;
    private static final int COUNT = OFFSET + 8;
    private static final int EVENT = COUNT + 8;

    private final SharingSide here = new SharingSide();
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    @AfterEach
    void close() {
        here.peer.close();
    }

    private static byte[] changed(byte[] exported, Consumer<ByteBuffer> change) {
        byte[] changed = exported.clone();
        change.accept(ByteBuffer.wrap(changed));
        return changed;
    }

    /** Replace part of a description by noise. */
    private byte[] noise(byte[] exported, int at, int length) {
        byte[] noise = new byte[length];
        random.nextBytes(noise);
        return changed(exported, buffer -> buffer.put(at, noise));
    }

    private static void assertRefused(String part, Executable call) {
        var e = assertThrows(IllegalArgumentException.class, call);
        assertEquals(part, e.getMessage());
    }

    private void assertCopies(byte[] exported) {
        here.copied(exported, "copy", 1, BYTES);
        assertArrayEquals(SharingSide.bytes(BYTES, 7), here.read("copy"));
        here.release("copy");
        SharingTest.assertDevicesWork(here);
    }

    @Test
    void malformedDescriptionsAreRefused() throws Exception {
        try (var child = new SharingChild(1)) {
            child.ask("random x 0 %d 7".formatted(BYTES));
            byte[] good = child.export("x", 0, BYTES);
            assertEquals(EVENT + 64, good.length);
            for (int length : new int[] {0, 1, good.length - 1, good.length + 1}) {
                assertRefused(
                        "a description of device memory has 160 bytes, not " + length,
                        () -> here.peer.check(Arrays.copyOf(good, length), BYTES));
            }
            for (long bytes : new long[] {BYTES - 1, BYTES + 1, 0, Long.MAX_VALUE}) {
                assertRefused(
                        "a peer exported 1000 bytes of device memory for a tensor of " + bytes,
                        () -> here.peer.check(good, bytes));
            }
            for (long at : new long[] {-1, Long.MIN_VALUE}) {
                assertRefused(
                        "a description of device memory names 1000 bytes at " + at,
                        () -> here.peer.check(changed(good, b -> b.putLong(OFFSET, at)), BYTES));
                assertRefused(
                        "a description of device memory names %d bytes at 0".formatted(at),
                        () -> here.peer.check(changed(good, b -> b.putLong(COUNT, at)), at));
            }
            assertCopies(good);
        }
    }

    @Test
    void memoryOutsideOfTheSegmentIsRefused() throws Exception {
        try (var child = new SharingChild(1)) {
            child.ask("random x 0 %d 7".formatted(BYTES));
            byte[] good = child.export("x", 0, BYTES);
            for (long at : new long[] {SEGMENT - BYTES + 1, SEGMENT, SEGMENT + 1, Long.MAX_VALUE}) {
                assertRefused(
                        "a peer names 1000 bytes at %d of a segment of device memory that has 2097152"
                                .formatted(at),
                        () -> here.peer.check(changed(good, b -> b.putLong(OFFSET, at)), BYTES));
            }
            for (long bytes : new long[] {SEGMENT + 1, Long.MAX_VALUE}) {
                byte[] large = changed(good, b -> b.putLong(COUNT, bytes));
                assertThrows(IllegalArgumentException.class, () -> here.peer.check(large, bytes));
            }
            here.peer.check(changed(good, b -> b.putLong(OFFSET, SEGMENT - BYTES)), BYTES);
            assertCopies(good);
        }
    }

    @Test
    void aCopyDoesNotExceedItsTarget() throws Exception {
        try (var child = new SharingChild(1)) {
            child.ask("random x 0 %d 7".formatted(BYTES));
            byte[] good = child.export("x", 0, BYTES);
            DeviceMemory small = here.devices.allocate(0, BYTES - 1);
            assertRefused(
                    "a peer exported 1000 bytes of device memory for a tensor of 999",
                    () -> here.peer.copyFrom(good, small));
            small.release();
            assertCopies(good);
        }
    }

    @Test
    void unknownDevicesAndHandlesAreRefused() throws Exception {
        System.out.println("seed " + FakeCuda.SEED);
        try (var child = new SharingChild(1)) {
            child.ask("random x 0 %d 7".formatted(BYTES));
            byte[] good = child.export("x", 0, BYTES);
            byte[] ofNoDevice = changed(good, b -> b.putLong(0, 1).putLong(8, 2));
            assertRefused(
                    "a peer exported memory of device 00000000000000010000000000000002, which this process does not have",
                    () -> here.peer.check(ofNoDevice, BYTES));
            long open = FakeCuda.count("fakeOpenHandles");
            for (int i = 0; i < 20; i++) {
                byte[] noHandle = noise(good, MEMORY, 64);
                assertThrows(DeviceException.class, () -> here.peer.check(noHandle, BYTES));
                byte[] nearly = noise(good, MEMORY + 8 + random.nextInt(24), 8);
                assertThrows(DeviceException.class, () -> here.peer.check(nearly, BYTES));
            }
            assertEquals(open, FakeCuda.count("fakeOpenHandles"));
            here.zeros("target", 0, BYTES);
            for (int i = 0; i < 20; i++) {
                byte[] noEvent = noise(good, EVENT, 64);
                here.peer.check(noEvent, BYTES);
                assertThrows(
                        DeviceException.class,
                        () -> here.peer.copyFrom(noEvent, here.memory("target")));
            }
            assertArrayEquals(new byte[BYTES], here.read("target"));
            assertCopies(good);
        }
    }

    @Test
    void malformedAnswersAreRefused() {
        System.out.println("seed " + FakeCuda.SEED);
        here.zeros("x", 0, BYTES);
        var _ = here.exported("x", 0, BYTES);
        for (int length : new int[] {0, 1, 63, 65, 256}) {
            assertRefused(
                    "a reply to exported memory has 64 bytes, not " + length,
                    () -> here.peer.copied(here.memory("x"), new byte[length]));
        }
        for (int i = 0; i < 20; i++) {
            byte[] noise = noise(new byte[64], 0, 64);
            assertThrows(DeviceException.class, () -> here.peer.copied(here.memory("x"), noise));
        }
        SharingTest.assertDevicesWork(here);
    }

    /** The driver opens memory of other processes only. */
    @Test
    void aProcessDoesNotOpenItsOwnMemory() {
        here.random("x", 0, BYTES, 7);
        byte[] own = here.exported("x", 0, BYTES);
        var e = assertThrows(DeviceException.class, () -> here.peer.check(own, BYTES));
        assertEquals("CUDA_ERROR_INVALID_CONTEXT", e.codeName());
        assertArrayEquals(SharingSide.bytes(BYTES, 7), here.read("x"));
        SharingTest.assertDevicesWork(here);
    }

    @Test
    void partsOutsideOfTheMemoryAreNotExported() {
        here.zeros("x", 0, BYTES);
        for (long[] part : new long[][] {{-1, 10}, {0, BYTES + 1}, {BYTES, 1}, {0, -1}}) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> here.exported("x", part[0], part[1]));
        }
        SharingTest.assertDevicesWork(here);
    }
}
