package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.ResourceCounts;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tests which growth of each resource is detected. */
@Isolated
class ResourceCountsTest {
    private static final int THINGS = 20;
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int ATTEMPTS = 10;

    private static ResourceCounts counts(String name, long count) {
        return new ResourceCounts(Map.of("objects of Other", 1L, name, count));
    }

    @TestFactory
    Stream<DynamicTest> oneForEachThingIsGrowth() {
        return Map.of(
                        "threads", 20L,
                        "descriptors", 20L,
                        "objects of Some", 20L,
                        "objects of java.lang.String", 52L,
                        "bytes of direct memory", 640L,
                        "bytes of mapped memory", 640L)
                .entrySet()
                .stream()
                .map(least ->
                        DynamicTest.dynamicTest(
                                least.getKey(),
                                () -> assertGrowthFrom(least.getKey(), least.getValue())));
    }

    private static void assertGrowthFrom(String name, long least) {
        ResourceCounts before = counts(name, 1_000);
        assertEquals(Map.of(name, least), counts(name, 1_000 + least).growthSince(before, THINGS));
        assertEquals(Map.of(), counts(name, 1_000 + least - 1).growthSince(before, THINGS));
        assertEquals(Map.of(), counts(name, 0).growthSince(before, THINGS));
    }

    @Test
    void aClassWithoutObjectsHadNone() {
        ResourceCounts before = counts("threads", 5);
        assertEquals(
                Map.of("objects of Some", 20L),
                counts("objects of Some", 20).growthSince(before, THINGS));
    }

    @Test
    void whatIsUnknownIsNoGrowth() {
        ResourceCounts without = counts("objects of Some", 5);
        for (String name : List.of("threads", "descriptors", "bytes of direct memory")) {
            assertEquals(Map.of(), counts(name, 1_000_000).growthSince(without, THINGS), name);
            assertEquals(Map.of(), without.growthSince(counts(name, 5), 100), name);
        }
    }

    @Test
    void objectsThatWereNotCountedBeforeAreNoGrowth() {
        var before = new ResourceCounts(Map.of("threads", 5L));
        assertEquals(Map.of(), counts("objects of Some", 1_000).growthSince(before, THINGS));
    }

    @Test
    void keysOfTheStoreExplainTexts() {
        String name = "objects of java.lang.String";
        var before = new ResourceCounts(Map.of(name, 0L, ResourceCounts.STORE_KEYS, 0L));
        var explained = new ResourceCounts(Map.of(name, 91L, ResourceCounts.STORE_KEYS, 10L));
        var more = new ResourceCounts(Map.of(name, 92L, ResourceCounts.STORE_KEYS, 10L));
        assertEquals(Map.of(), explained.growthSince(before, THINGS));
        assertEquals(Map.of(name, 92L), more.growthSince(before, THINGS));
    }

    // ---- this process

    private static Map<String, Long> growthBy(Runnable work) {
        ResourceCounts before = ResourceCounts.ofThisProcess(0);
        work.run();
        return ResourceCounts.ofThisProcess(0).growthSince(before, THINGS);
    }

    /** Assert growth; the work is repeated if garbage of earlier tests disappears meanwhile. */
    private static void assertGrows(String name, long least, Runnable work) {
        Map<String, Long> growth = Map.of();
        for (int i = 0; i < ATTEMPTS && growth.getOrDefault(name, 0L) < least; i++) {
            growth = growthBy(work);
        }
        assertTrue(growth.getOrDefault(name, 0L) >= least, growth::toString);
    }

    @Test
    void directMemoryGrowsByWhatIsAllocated() {
        List<ByteBuffer> kept = new ArrayList<>();
        assertGrows(
                "bytes of direct memory",
                MEMORY_BYTES,
                () -> kept.add(ByteBuffer.allocateDirect(MEMORY_BYTES)));
        assertTrue(kept.size() <= ATTEMPTS);
    }

    @Test
    void threadsGrowByThoseThatRun() {
        var ended = new CountDownLatch(1);
        try {
            assertGrows(
                    ResourceCounts.THREADS,
                    THINGS,
                    () -> IntStream.range(0, THINGS).forEach(_ -> startWaitingFor(ended)));
        } finally {
            ended.countDown();
        }
    }

    private static void startWaitingFor(CountDownLatch latch) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    @Test
    void descriptorsGrowByThoseThatAreOpen() throws IOException {
        List<SocketChannel> sockets = new ArrayList<>();
        try {
            long grown = 0;
            for (int i = 0; i < ATTEMPTS && grown < THINGS; i++) {
                OptionalLong before = ResourceCounts.descriptors();
                for (int n = 0; n < THINGS; n++) {
                    sockets.add(SocketChannel.open());
                }
                OptionalLong after = ResourceCounts.descriptors();
                assertEquals(before.isPresent(), after.isPresent());
                grown = after.orElse(THINGS) - before.orElse(0);
            }
            assertTrue(grown >= THINGS, "grown by " + grown);
        } finally {
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        }
    }

    private static final class Kept {}

    @Test
    void objectsGrowByThoseThatAreReachable() {
        List<Kept> kept = new ArrayList<>();
        Map<String, Long> growth =
                growthBy(() -> IntStream.range(0, THINGS).forEach(_ -> kept.add(new Kept())));
        assertEquals(THINGS, growth.get("objects of " + Kept.class.getName()), growth::toString);
        assertEquals(THINGS, kept.size());
    }

    @Test
    void aFolderThatCannotBeReadHasNoCount(@TempDir Path folder) throws IOException {
        Files.createFile(folder.resolve("file"));
        assertEquals(OptionalLong.of(1), ResourceCounts.filesIn(folder));
        assertEquals(OptionalLong.empty(), ResourceCounts.filesIn(folder.resolve("none")));
    }
}
