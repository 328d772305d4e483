package org.gradwire.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Output;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class DecodingBudgetTest {
    private static final long HEAP = 1 << 20;
    private static final int PEER = 3;

    private final DecodingHeap heap = new DecodingHeap(2 * HEAP);
    private final DecodingBudget budget = new DecodingBudget(heap, PEER, 0);

    private DecodingBudget of(int peer) {
        return new DecodingBudget(heap, peer, 1_000_000);
    }

    private static void refused(String text, Executable action) {
        String message = String.valueOf(assertThrows(DecodingException.class, action).getMessage());
        assertTrue(message.contains(text), message);
    }

    private void insertAll(Set<Object> into, List<?> keys) {
        var charged = new KeyBudget(budget, into);
        for (Object key : keys) {
            charged.insert(key, 0, budget.comparisonWork());
            if (into.add(key)) {
                charged.inserted();
            }
        }
    }

    @Test
    void heapIsCountedUpToTheLimit() {
        budget.allocate(HEAP - 1);
        budget.allocate(1);
        refused("more than 1048576 bytes of heap", () -> budget.allocate(1));
    }

    @Test
    void messagesOfOnePeerTakeHalfAndThoseOfAllTheWhole() {
        DecodingBudget first = of(PEER);
        first.allocate(HEAP);
        long taken = HEAP - DecodingBudget.FREE;
        assertEquals(taken, heap.total());
        DecodingBudget second = of(PEER);
        refused("messages of worker 3 would take", () -> second.allocate(HEAP / 2));
        of(PEER).allocate(DecodingBudget.FREE); // small messages that do not stay open always fit
        of(4).allocate(HEAP);
        DecodingBudget third = of(5);
        refused("messages of all peers would take", () -> third.allocate(HEAP / 2));
        assertEquals(2 * taken, heap.total());
        first.release();
        first.release();
        assertEquals(taken, heap.total());
        third.allocate(HEAP / 4);
    }

    @Test
    void aMessageThatStaysOpenCountsFromItsFirstByte() {
        DecodingBudget open = of(PEER);
        open.allocate(100);
        assertEquals(0, heap.total());
        open.keepOpen(1_000);
        assertEquals(1_100 + DecodingBudget.OPEN_BYTES, heap.total());
        open.keepOpen(1_000);
        assertEquals(1_100 + DecodingBudget.OPEN_BYTES, heap.total());
        open.allocate(10_000);
        long grown = heap.total();
        assertTrue(grown >= 11_100 && grown <= 24_000, grown + " bytes");
        open.release();
        assertEquals(0, heap.total());
    }

    @Test
    void aLargeMessageThatStaysOpenCountsWithItsFreePart() {
        DecodingBudget open = of(PEER);
        open.allocate(HEAP / 2);
        long taken = heap.total();
        open.keepOpen(5);
        assertEquals(taken + DecodingBudget.FREE + 5 + DecodingBudget.OPEN_BYTES, heap.total());
        open.release();
        assertEquals(0, heap.total());
    }

    @Test
    void openMessagesOfAnySizeAreRefusedAtTheLimit() {
        for (int bytes : new int[] {0, 100, 60_000}) {
            Deque<DecodingBudget> open = new ArrayDeque<>();
            Executable next =
                    () -> {
                        var budget = new DecodingBudget(heap, PEER, bytes);
                        budget.allocate(bytes);
                        budget.keepOpen(0);
                        open.add(budget);
                    };
            long most = HEAP / (bytes + DecodingBudget.OPEN_BYTES);
            for (int i = 0; i < most; i++) {
                assertDoesNotThrow(next);
            }
            refused("messages of worker 3 would take", next);
            open.remove().release();
            assertDoesNotThrow(next);
            open.forEach(DecodingBudget::release);
            assertEquals(0, heap.total());
        }
    }

    @Test
    void buffersOfAMessageThatStaysOpenCount() {
        DecodingBudget large = of(PEER);
        refused("messages of worker 3 would take", () -> large.keepOpen(HEAP));
        assertEquals(0, heap.total());
        large.release();
        of(PEER).keepOpen(HEAP / 2);
        refused("messages of worker 3 would take", () -> of(PEER).keepOpen(HEAP / 2));
    }

    @Test
    void aPeerReservesNothingOfTheCommonLimitForFewSmallMessages() {
        List<DecodingBudget> open = new ArrayList<>();
        for (int peer = 0; peer < 1_000; peer++) {
            DecodingBudget budget = of(peer);
            budget.keepOpen(0);
            open.add(budget);
        }
        assertEquals(0, heap.reserved());
        DecodingBudget large = of(PEER);
        large.keepOpen(HEAP / 2);
        assertTrue(heap.reserved() >= HEAP / 2 - DecodingHeap.FREE_OF_PEER);
        large.release();
        assertEquals(0, heap.reserved());
        open.forEach(DecodingBudget::release);
        assertEquals(0, heap.total());
    }

    @Test
    void whatThreadsTakeAtTheSameTimeIsAllGivenBack() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 8; i++) {
            int seed = i;
            threads.add(Thread.ofPlatform().start(() -> takeAndRelease(seed)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, heap.total());
        assertEquals(0, heap.reserved());
    }

    private void takeAndRelease(int seed) {
        var random = new Random(seed);
        Deque<DecodingBudget> open = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            DecodingBudget budget = of(seed % 3);
            try {
                budget.keepOpen(random.nextInt(50_000));
            } catch (DecodingException _) {
                budget.release();
                continue;
            }
            open.add(budget);
            if (open.size() > 20) {
                open.remove().release();
            }
        }
        open.forEach(DecodingBudget::release);
    }

    @Test
    void whatAnAnsweredMessageStillDecodesIsNotTaken() {
        budget.allocate(HEAP / 2);
        budget.release();
        budget.allocate(HEAP / 4);
        budget.keepOpen(100);
        assertEquals(0, heap.total());
    }

    @Test
    void whatALostPeerTookCountsNoMore() {
        DecodingBudget late = of(PEER);
        late.allocate(HEAP / 2);
        late.keepOpen(0);
        heap.forget(PEER);
        assertEquals(0, heap.total());
        assertEquals(0, heap.reserved());
        late.release();
        assertEquals(0, heap.total());
        assertEquals(0, heap.reserved());
    }

    @Test
    void theProgramsOwnBytesTakeNothing() {
        DecodingBudget own = of(Output.NOWHERE);
        own.keepOpen(0);
        own.allocate(HEAP);
        refused("more than 1048576 bytes of heap", () -> own.allocate(1));
        assertEquals(0, heap.total());
    }

    @Test
    void workGrowsWithTheMessage() {
        long work = 1_000_000L * DecodingBudget.WORK_PER_BYTE;
        of(PEER).insert(work, 0, 0);
        assertThrows(DecodingException.class, () -> of(PEER).insert(work + 1, 0, 0));
        budget.insert(0, DecodingBudget.LEAST_WORK, 1);
        assertThrows(DecodingException.class, () -> budget.insert(0, 1, 1));
    }

    @Test
    void hugeFiguresDoNotWrapAround() {
        assertThrows(
                DecodingException.class, () -> budget.insert(0, Long.MAX_VALUE, Integer.MAX_VALUE));
        assertThrows(DecodingException.class, () -> budget.insert(Long.MAX_VALUE, 0, 0));
    }

    /** Such keys form a tree in the table, in which each is compared with few. */
    @Test
    void orderedKeysWithEqualHashCodesCostNoMore() {
        List<String> colliding =
                new Random(1)
                        .ints(20_000, 0, 1 << 16)
                        .mapToObj(DecodingBudgetTest::colliding)
                        .toList();
        assertEquals(1, colliding.stream().mapToInt(String::hashCode).distinct().count());
        insertAll(new LinkedHashSet<>(), colliding);
    }

    /** {@return one of 65,536 texts with equal hash codes, by its number} */
    private static String colliding(int number) {
        var text = new StringBuilder();
        for (int bit = 0; bit < 16; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    @Test
    void aMixOfKeysIsComparedWithAllOfEqualHashCode() {
        Set<Object> keys = new LinkedHashSet<>();
        insertAll(keys, List.of(1, 2, 3, List.of(), "text"));
        assertEquals(5, keys.size());
        var all =
                new Random(1)
                        .ints(20_000, 0, 1 << 16)
                        .mapToObj(n -> List.of(colliding(n)))
                        .toList();
        assertThrows(DecodingException.class, () -> insertAll(keys, all));
        assertTrue(keys.size() < 1_000, keys.size() + " were inserted");
    }

    @Test
    void countsAreThoseOfATable() {
        var counts = new HashCounts();
        Map<Integer, Integer> expected = new HashMap<>();
        new Random(1)
                .ints(10_000, -500, 500)
                .map(n -> n << 20)
                .forEach(hash -> {
                    counts.add(hash);
                    expected.merge(hash, 1, Integer::sum);
                });
        expected.forEach((hash, count) -> assertEquals(count, counts.count(hash)));
        assertEquals(0, counts.count(1));
    }

    /** More messages than there are carriers of virtual threads are decoded without an end. */
    @Test
    void aThreadThatOthersStartRunsWhileLargeMessagesAreDecoded() throws Exception {
        int messages = 2 * Runtime.getRuntime().availableProcessors();
        var decoding = new CountDownLatch(messages);
        var end = new CountDownLatch(1);
        List<Thread> decoders = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            decoders.add(Thread.ofVirtual().start(() -> decodeUntil(end, decoding)));
        }
        boolean allDecode = decoding.await(30, TimeUnit.SECONDS);
        Thread.ofVirtual().start(end::countDown);
        boolean otherHasRun = end.await(30, TimeUnit.SECONDS);
        end.countDown();
        for (Thread decoder : decoders) {
            decoder.join();
        }
        assertTrue(allDecode, "some decoders left no carrier to the others");
        assertTrue(otherHasRun, "the decoders left no carrier to another thread");
    }

    private void decodeUntil(CountDownLatch end, CountDownLatch decoding) {
        while (end.getCount() > 0) {
            DecodingBudget message = of(PEER);
            for (int key = 0; key < 4_000_000 && end.getCount() > 0; key++) {
                message.insert(1, 0, 0);
            }
            decoding.countDown();
        }
    }
}
