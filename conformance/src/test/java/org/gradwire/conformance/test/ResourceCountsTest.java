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
import java.lang.foreign.Arena;
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

/** What is taken for growth of a process, each resource on its own. */
@Isolated
class ResourceCountsTest {
    private static final int THINGS = 20;

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

    @Test
    void nativeMemoryGrowsByWhatIsAllocated() {
        try (Arena arena = Arena.ofConfined()) {
            Map<String, Long> growth = growthBy(() -> arena.allocate(1 << 20));
            assertTrue(
                    growth.getOrDefault("bytes of direct memory", 0L) >= 1 << 20, growth::toString);
        }
    }

    @Test
    void threadsGrowByThoseThatRun() {
        var ended = new CountDownLatch(1);
        try {
            Map<String, Long> growth =
                    growthBy(() -> IntStream.range(0, THINGS).forEach(_ -> startWaitingFor(ended)));
            assertTrue(growth.containsKey(ResourceCounts.THREADS), growth::toString);
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
        OptionalLong before = ResourceCounts.descriptors();
        List<SocketChannel> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < THINGS; i++) {
                sockets.add(SocketChannel.open());
            }
            OptionalLong after = ResourceCounts.descriptors();
            assertEquals(before.isPresent(), after.isPresent());
            assertTrue(
                    after.orElse(THINGS) - before.orElse(0) >= THINGS,
                    () -> "from " + before + " to " + after);
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
