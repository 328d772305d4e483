package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.spi.device.DeviceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Memory that another process copies, or copies of another process's memory. */
@NeedsFakeCuda
class SharingTest {
    private static final int BYTES = 1 << 16;

    private final SharingSide here = new SharingSide();

    @AfterEach
    void close() {
        here.peer.close();
    }

    @ParameterizedTest(name = "cuda:{0} to cuda:{1}")
    @CsvSource({"0, 0", "0, 1", "1, 0"})
    void partsOfAnySizeAndOffsetArrive(int from, int to) throws Exception {
        System.out.println("seed " + FakeCuda.SEED);
        var random = new SplittableRandom(FakeCuda.SEED);
        try (var child = new SharingChild(FakeCuda.SEED)) {
            for (int size : new int[] {1, 100, 4096, 1 << 20, (3 << 20) + 5, 12 << 20}) {
                long seed = random.nextLong();
                child.ask("random %d %d %d %d".formatted(size, from, size, seed));
                int offset = random.nextInt(size);
                int count = 1 + random.nextInt(size - offset);
                for (int[] part : new int[][] {{0, size}, {offset, count}}) {
                    byte[] exported = child.export(Integer.toString(size), part[0], part[1]);
                    byte[] answer = here.copied(exported, "copy", to, part[1]);
                    child.copied(Integer.toString(size), answer);
                    byte[] expected =
                            Arrays.copyOfRange(
                                    SharingSide.bytes(size, seed), part[0], part[0] + part[1]);
                    assertArrayEquals(expected, here.read("copy"));
                    here.release("copy");
                }
            }
        }
    }

    /** The export waits on the device for the work of the exporter; no thread waits. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void workBeforeTheExportArrives(long seed) throws Exception {
        System.out.println("seed " + seed);
        var random = new SplittableRandom(seed);
        int expected = 0;
        try (var child = new SharingChild(seed)) {
            child.ask("zeros x 0 %d".formatted(BYTES));
            for (int round = 0; round < 20; round++) {
                int times = random.nextInt(40);
                expected += times;
                child.ask("increase x %d".formatted(times));
                byte[] exported = child.export("x", 0, BYTES);
                child.copied("x", here.copied(exported, "copy", round % 2, BYTES));
                assertEquals(expected, here.number("copy"), "round " + round);
                here.release("copy");
            }
        }
    }

    /** After the reply, the exporter may change the memory, or give it to others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void workAfterTheAnswerDoesNotArrive(long seed) throws Exception {
        System.out.println("seed " + seed);
        var random = new SplittableRandom(seed);
        try (var child = new SharingChild(seed)) {
            for (int round = 0; round < 20; round++) {
                child.ask("zeros x 0 %d".formatted(BYTES));
                child.ask("increase x 3");
                byte[] exported = child.export("x", 0, BYTES);
                here.zeros("copy", round % 2, BYTES);
                here.increase("copy", random.nextInt(40)); // so that the copy is late
                child.copied("x", here.copied(exported, "copy", round % 2, BYTES));
                if (random.nextBoolean()) {
                    child.ask("increase x 1");
                    child.ask("release x");
                } else {
                    child.ask("release x");
                    child.ask("random other 0 %d 5".formatted(BYTES)); // in the same place
                    child.ask("release other");
                }
                here.increase("copy", 1);
                assertEquals(4, here.number("copy"), "round " + round);
                here.release("copy");
            }
        }
    }

    @Test
    void aSegmentIsOpenedOnceUntilThePeerIsClosed() throws Exception {
        long open = FakeCuda.count("fakeOpenHandles");
        try (var child = new SharingChild(1)) {
            for (String name : new String[] {"x", "y", "z"}) {
                child.ask("random %s 0 1000 7".formatted(name));
            }
            for (int i = 0; i < 30; i++) {
                String name = new String[] {"x", "y", "z"}[i % 3];
                here.copied(child.export(name, i, 1000 - i), "copy" + i, 0, 1000 - i);
            }
            assertEquals(open + 1, FakeCuda.count("fakeOpenHandles"));
            child.ask("random large 0 %d 8".formatted(12 << 20));
            here.copied(child.export("large", 0, 12 << 20), "large", 1, 12 << 20);
            assertEquals(open + 2, FakeCuda.count("fakeOpenHandles"));
            long events = FakeCuda.count("fakeLiveEvents");
            here.peer.close();
            assertEquals(open, FakeCuda.count("fakeOpenHandles"));
            assertEquals(events - 1, FakeCuda.count("fakeLiveEvents")); // that of its one stream
            assertArrayEquals(SharingSide.bytes(12 << 20, 8), here.read("large"));
        }
    }

    @Test
    void aClosedPeerRefusesWhatComesAfterwards() throws Exception {
        try (var child = new SharingChild(1)) {
            child.ask("random x 0 1000 7");
            byte[] exported = child.export("x", 0, 1000);
            byte[] answer = here.copied(exported, "copy", 0, 1000);
            long open = FakeCuda.count("fakeOpenHandles");
            here.peer.close();
            here.peer.close();
            assertThrows(IllegalStateException.class, () -> here.peer.check(exported, 1000));
            assertThrows(
                    IllegalStateException.class,
                    () -> here.peer.copyFrom(exported, here.memory("copy")));
            assertThrows(
                    IllegalStateException.class,
                    () -> here.peer.copied(here.memory("copy"), answer));
            assertEquals(open - 1, FakeCuda.count("fakeOpenHandles"));
            assertArrayEquals(SharingSide.bytes(1000, 7), here.read("copy"));
        }
    }

    /** The record of the exporter's event will never complete, but nothing waits for it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anExporterMayBeKilledDuringTheCopy(long seed) throws Exception {
        System.out.println("seed " + seed);
        var random = new SplittableRandom(seed);
        try (var child = new SharingChild(seed)) {
            child.ask("zeros x 0 %d".formatted(BYTES));
            child.ask("increase x 1000");
            byte[] exported = child.export("x", 0, BYTES);
            int others = random.nextInt(5);
            for (int i = 0; i < others; i++) {
                here.copied(exported, "copy" + i, i % 2, BYTES);
            }
            here.copied(exported, "copy", 0, BYTES);
            child.kill();
            assertEquals(BYTES, here.read("copy").length);
            here.peer.close();
            var fresh = here.sharing.peer();
            assertThrows(DeviceException.class, () -> fresh.check(exported, BYTES));
        }
        assertDevicesWork(here);
    }

    @Test
    void anImporterMayBeKilledWhileItHasTheMemory() throws Exception {
        here.zeros("x", 0, BYTES);
        here.increase("x", 5);
        try (var child = new SharingChild(1)) {
            byte[] answer = child.copy(here.exported("x", 0, BYTES), "copy", 0, BYTES);
            child.copy(here.exported("x", 0, BYTES), "copy", 0, BYTES);
            here.peer.copied(here.memory("x"), answer);
            child.kill();
        }
        here.increase("x", 1);
        assertEquals(6, here.number("x"));
        here.peer.close();
        here.release("x");
        assertEquals(0, here.devices.memoryUse(0).allocated());
        assertDevicesWork(here);
    }

    /** Compute on both devices. */
    static void assertDevicesWork(SharingSide side) {
        for (int device = 0; device < 2; device++) {
            side.zeros("work", device, BYTES);
            side.increase("work", 7);
            assertEquals(7, side.number("work"));
            side.release("work");
        }
    }
}
