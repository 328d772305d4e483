package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The contract of all stores. */
abstract class StoreContract {
    static final int WORLD_SIZE = 6;
    static final Duration LONG = Duration.ofSeconds(60);
    static final Duration SHORT = Duration.ofMillis(20);

    private final List<Store> open = new ArrayList<>();
    final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Open the store of a test as one of {@link #WORLD_SIZE} workers. */
    abstract Store open(int rank);

    final Store join(int rank) {
        Store store = open(rank);
        open.add(store);
        return store;
    }

    @AfterEach
    final void closeAll() throws Exception {
        List<Future<?>> closing = new ArrayList<>();
        for (Store store : open) {
            closing.add(threads.submit(store::close));
        }
        for (Future<?> close : closing) {
            close.get();
        }
        threads.close();
    }

    static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    static String text(byte[] bytes) {
        return new String(bytes, US_ASCII);
    }

    @Test
    void whatOneWorkerSetsAllOthersGet() {
        Store first = join(0);
        Store second = join(1);
        first.set("key", bytes("value"));
        assertEquals("value", text(second.get("key", LONG)));
        assertEquals("value", text(first.get("key", Duration.ZERO)));
        second.set("key", bytes("another"));
        assertEquals("another", text(first.get("key", LONG)));
        first.set("empty", new byte[0]);
        assertEquals(0, second.get("empty", LONG).length);
    }

    @Test
    void aValueIsACopy() {
        Store store = join(0);
        byte[] given = bytes("value");
        store.set("key", given);
        given[0] = 'X';
        store.get("key", LONG)[1] = 'Y';
        assertEquals("value", text(store.get("key", LONG)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a/b", "name\nwith\tblanks", "Straße", "\uD83D\uDE00", "\0"})
    void aKeyMayBeAnyText(String key) {
        Store first = join(0);
        Store second = join(1);
        first.set(key, bytes("here"));
        first.set("other", bytes("there"));
        assertEquals("here", text(second.get(key, LONG)));
    }

    @Test
    void numbersStartAtZeroAndReadAsDecimalText() {
        Store first = join(0);
        Store second = join(1);
        assertEquals(0, first.add("sum", 0));
        assertEquals(5, first.add("sum", 5));
        assertEquals(-2, second.add("sum", -7));
        assertEquals("-2", text(first.get("sum", LONG)));
        first.set("given", bytes("40"));
        assertEquals(42, second.add("given", 2));
    }

    @Test
    void addingToWhatIsNoNumberFailsAndNamesKeyAndValue() {
        Store store = join(0);
        store.set("key", bytes("forty"));
        var failure = assertThrows(RpcException.class, () -> store.add("key", 1));
        assertEquals(
                "cannot add to key 'key' of the store: its value 'forty' is not a number",
                failure.getMessage());
        assertEquals("forty", text(store.get("key", LONG)));
    }

    @Test
    void gettingWaitsUntilTheValueIsThere() throws Exception {
        Store first = join(0);
        Store second = join(1);
        List<Future<String>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String key = "key" + i % 4;
            Store from = i % 2 == 0 ? first : second;
            waiting.add(threads.submit(() -> text(from.get(key, LONG))));
        }
        for (int i = 0; i < 4; i++) {
            second.set("key" + i, bytes("value" + i));
        }
        for (int i = 0; i < 20; i++) {
            assertEquals("value" + i % 4, waiting.get(i).get());
        }
    }

    @Test
    void gettingWhatDoesNotAppearFailsInTimeAndNamesTheKey() {
        Store store = join(0);
        long start = System.nanoTime();
        var failure =
                assertThrows(RpcTimeoutException.class, () -> store.get("no such key", SHORT));
        assertTrue(System.nanoTime() - start >= SHORT.toNanos(), "timed out too early");
        assertEquals(
                "key 'no such key' did not appear in the store within 20 ms", failure.getMessage());
        assertThrows(RpcTimeoutException.class, () -> store.get("no such key", Duration.ZERO));
    }

    @Test
    void aTimeoutMayBeLongerThanTimeLasts() throws Exception {
        Store store = join(0);
        Future<byte[]> waiting =
                threads.submit(() -> store.get("key", Duration.ofSeconds(Long.MAX_VALUE)));
        store.set("key", bytes("value"));
        assertEquals("value", text(waiting.get()));
    }

    @Test
    void aWaitCanBeInterrupted() throws Exception {
        Store store = join(0);
        Future<Boolean> waiting =
                threads.submit(() -> {
                    Thread.currentThread().interrupt();
                    String text =
                            assertThrows(RpcException.class, () -> store.get("no such key", LONG))
                                    .getMessage();
                    assertTrue(text.startsWith("interrupted while waiting"), text);
                    return Thread.currentThread().isInterrupted();
                });
        assertTrue(waiting.get());
    }

    @Test
    void manyWorkersAddWithoutLosingAnything() throws Exception {
        int each = 50;
        Set<Long> sums = new ConcurrentSkipListSet<>();
        List<Callable<Void>> adding = new ArrayList<>();
        for (int rank = 0; rank < WORLD_SIZE; rank++) {
            Store store = join(rank);
            for (int t = 0; t < 2; t++) {
                adding.add(() -> {
                    for (int i = 0; i < each; i++) {
                        sums.add(store.add("sum", 1));
                    }
                    return null;
                });
            }
        }
        for (Future<Void> done : threads.invokeAll(adding)) {
            done.get();
        }
        assertEquals(
                LongStream.rangeClosed(1, 2L * WORLD_SIZE * each)
                        .boxed()
                        .collect(Collectors.toSet()),
                sums);
    }

    @Test
    void aValueMayHaveSomeKibibytes() {
        Store first = join(0);
        Store second = join(1);
        var random = new Random(7);
        for (int size : new int[] {1 << 10, StoreLimits.MAX_VALUE_BYTES}) {
            byte[] value = new byte[size];
            random.nextBytes(value);
            first.set("large", value);
            assertArrayEquals(value, second.get("large", LONG));
        }
    }

    @Test
    void whatIsTooLargeIsRefusedAndHarmsNothing() {
        Store store = join(0);
        assertEquals(
                "a value of 65537 bytes is too large for the store; at most 65536",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> store.set("key", new byte[(64 << 10) + 1]))
                        .getMessage());
        String key = "k".repeat(1025);
        assertEquals(
                "a key of 1025 characters is too long for the store; at most 1024",
                assertThrows(IllegalArgumentException.class, () -> store.add(key, 1)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> store.set(key, bytes("value")));
        assertThrows(IllegalArgumentException.class, () -> store.get(key, SHORT));
        store.set("key", bytes("value"));
        assertEquals("value", text(store.get("key", LONG)));
    }

    @Test
    void theStoreLivesAsLongAsOneWorkerUsesIt() {
        Store first = join(0);
        Store second = join(1);
        second.set("key", bytes("value"));
        second.close();
        second.close();
        assertEquals("value", text(first.get("key", LONG)));
        assertEquals(1, first.add("sum", 1));
        assertEquals("value", text(join(2).get("key", LONG)));
    }

    @Test
    void whenAllHaveClosedItTheSameAddressNamesAnEmptyStore() throws Exception {
        List<Store> stores = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            stores.add(open(rank));
        }
        stores.get(2).set("key", bytes("value"));
        List<Future<?>> closing = new ArrayList<>();
        for (Store store : stores) {
            closing.add(threads.submit(store::close));
        }
        for (Future<?> close : closing) {
            close.get();
        }
        assertThrows(RpcTimeoutException.class, () -> join(0).get("key", SHORT));
    }
}
