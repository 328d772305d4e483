package org.gradwire.runtime.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.stream.RemoteStream;
import org.gradwire.rpc.stream.StreamOptions;
import org.gradwire.runtime.tests.functions.Streams;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Streams of values from worker 1 to worker 0. */
@Timeout(120)
class RemoteStreamTest {
    private static final int CREDITS = 8;
    private static final int ENDLESS = 1_000_000;

    private final InprocWorkers workers = new InprocWorkers(2);
    private final Rpc rpc = workers.get(0);
    private final Streams producer = Streams.of(workers.get(1));

    @AfterEach
    void stop() {
        workers.close();
    }

    private RemoteStream<Integer> count(int count, String end, StreamOptions options) {
        return RemoteStream.ofIterator(
                rpc, "worker1", Call.to(Streams::count, count, end), options);
    }

    private RemoteStream<Integer> publish(int count, String end, StreamOptions options) {
        return RemoteStream.ofPublisher(
                rpc, "worker1", Call.to(Streams::publish, count, end), options);
    }

    private static StreamOptions credits(int credits) {
        return StreamOptions.DEFAULT.withCredits(credits);
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static <T> List<T> all(RemoteStream<T> stream) {
        List<T> all = new ArrayList<>();
        stream.forEach(all::add);
        return all;
    }

    private void assertNothingLeft() {
        Metrics.awaitNothingOwned(workers.get(1));
        Metrics.awaitNothingUsed(rpc);
    }

    // ---- values

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, StreamOptions.MOST_CREDITS})
    void valuesArriveInOrder(int credits) throws Exception {
        assertEquals(upTo(1_000), all(count(1_000, "end", credits(credits))));
        assertEquals(upTo(1_000), all(publish(1_000, "end", credits(credits))));
        producer.awaitClosed();
        assertNothingLeft();
    }

    @Test
    void streamsOfTheJdkAreClosedAtTheirEnd() throws Exception {
        Call<Stream<Integer>> call = Call.to(Streams::squares, 4);
        assertEquals(List.of(0, 1, 4, 9), all(RemoteStream.ofStream(rpc, "worker1", call)));
        producer.awaitClosed();
    }

    @Test
    void publisherMayEndBeforeItIsAsked() {
        Call<Flow.Publisher<Integer>> call = Call.to(Streams::publishNothing);
        assertEquals(List.of(), all(RemoteStream.ofPublisher(rpc, "worker1", call)));
        assertNothingLeft();
    }

    @Test
    void scopesDoNotCollectRequestsForValues() {
        try (var _ = rpc.waitAll();
                RemoteStream<Integer> stream = publish(3, "nothing", StreamOptions.DEFAULT)) {
            assertEquals(0, stream.iterator().next());
        }
        assertNothingLeft();
    }

    @Test
    void emptyStreamEnds() {
        Iterator<Integer> none = count(0, "end", StreamOptions.DEFAULT).iterator();
        assertFalse(none.hasNext());
        assertFalse(none.hasNext());
        assertThrows(NoSuchElementException.class, none::next);
        assertNothingLeft();
    }

    @Test
    void ownValuesAreStreamedToo() {
        Call<Iterator<Integer>> call = Call.to(Streams::count, 100, "end");
        assertEquals(upTo(100), all(RemoteStream.ofIterator(rpc, "worker0", call)));
        Metrics.awaitNothingOwned(rpc);
    }

    @Test
    void valuesHaveAnyTypeButNull() {
        Call<Iterator<Object>> call = Call.to(Streams::mixed, false);
        List<Object> values = all(RemoteStream.ofIterator(rpc, "worker1", call));
        assertEquals("text", values.get(0));
        assertArrayEquals(new float[] {1, 2}, ((Tensor) values.get(1)).toFloatArray());
        assertEquals(List.of(1, 2), values.get(2));
        Iterator<Object> withNull =
                RemoteStream.<Object>ofIterator(rpc, "worker1", Call.to(Streams::mixed, true))
                        .iterator();
        for (int i = 0; i < 3; i++) {
            withNull.next();
        }
        assertThrows(RemoteException.class, withNull::hasNext);
    }

    /** A reference among the arguments is open as long as the values are made. */
    @Test
    void argumentsLiveAsLongAsTheStream() {
        try (RRef<String> mine = rpc.rref("mine")) {
            Call<Iterator<String>> call = Call.to(Streams::fetched, mine, 20);
            assertEquals(
                    Collections.nCopies(20, "mine"),
                    all(RemoteStream.ofIterator(rpc, "worker1", call, credits(1))));
            assertNothingLeft();
            Metrics.awaitNothingOwned(rpc);
        }
    }

    // ---- credits

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void producerMakesNoMoreValuesThanItHasCredits(boolean publisher) throws Exception {
        var options = credits(CREDITS);
        try (RemoteStream<Integer> stream =
                publisher ? publish(ENDLESS, "end", options) : count(ENDLESS, "end", options)) {
            Metrics.await(producer::made, made -> made == CREDITS);
            Iterator<Integer> values = stream.iterator();
            for (int taken = 1; taken <= 500; taken++) {
                assertEquals(taken - 1, values.next());
                int made = producer.made();
                assertTrue(made <= taken + CREDITS, made + " made, " + taken + " taken");
            }
            Metrics.await(producer::made, made -> made > 500);
        }
        producer.awaitClosed();
        assertNothingLeft();
    }

    @Test
    void publisherThatSendsTooMuchFails() {
        Iterator<Integer> values = publish(ENDLESS, "excess", credits(2)).iterator();
        var failure = assertThrows(RemoteException.class, () -> values.forEachRemaining(_ -> {}));
        assertEquals(IllegalStateException.class.getName(), failure.remoteType());
    }

    @Test
    void creditsOfOneConsumerAreLimited() {
        var most = credits(StreamOptions.MOST_CREDITS);
        List<RemoteStream<Integer>> streams = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            streams.add(publish(1, "nothing", most));
            assertEquals(0, streams.getLast().iterator().next());
        }
        Iterator<Integer> refused = publish(1, "nothing", most).iterator();
        var failure = assertThrows(RemoteException.class, () -> refused.forEachRemaining(_ -> {}));
        assertTrue(failure.getMessage().contains("close streams"), failure::getMessage);
        streams.forEach(RemoteStream::close);
        assertNothingLeft();
        assertEquals(0, publish(1, "nothing", most).iterator().next());
    }

    /** Functions whose values are streamed count as calls of the consumer while they run. */
    @Test
    void producersCountAsCallsOfTheConsumer() throws Exception {
        RemoteStream<Integer> stream = count(0, "block", StreamOptions.DEFAULT);
        producer.awaitWaiting();
        Rpc owner = workers.get(1);
        int all = Metrics.of(owner, "agent.thread_pool_size");
        Metrics.await(owner, "agent.num_idle_threads", all - 1); // requests for values only wait
        stream.close();
        producer.awaitClosed();
        assertNothingLeft();
    }

    // ---- ends

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failureFollowsTheValues(boolean publisher) throws Exception {
        var options = credits(CREDITS);
        RemoteStream<Integer> stream =
                publisher ? publish(20, "fail", options) : count(20, "fail", options);
        List<Integer> values = new ArrayList<>();
        var failure = assertThrows(RemoteException.class, () -> stream.forEach(values::add));
        assertEquals(upTo(20), values);
        assertEquals(IllegalStateException.class.getName(), failure.remoteType());
        assertTrue(failure.getMessage().contains("no luck with 20"), failure::getMessage);
        producer.awaitClosed();
        assertNothingLeft();
    }

    @Test
    void failureOfTheFunctionIsThatOfTheStream() {
        Call<Iterator<Integer>> call = Call.to(Streams::atLeastOne, 0);
        Iterator<Integer> none = RemoteStream.ofIterator(rpc, "worker1", call).iterator();
        var failure = assertThrows(RuntimeException.class, none::hasNext);
        assertTrue(String.valueOf(failure.getMessage()).contains("no numbers"), failure::toString);
        assertFalse(none.hasNext());
        assertThrows(
                IllegalArgumentException.class,
                () -> RemoteStream.ofIterator(rpc, "worker1", badArguments()));
    }

    private static Call<Iterator<Integer>> badArguments() {
        return Call.to(Streams::count).args(new Object(), "end");
    }

    @Test
    void closeInterruptsTheIteratorAndTheWait() throws Exception {
        RemoteStream<Integer> stream = count(3, "block", StreamOptions.DEFAULT);
        Iterator<Integer> values = stream.iterator();
        for (int i = 0; i < 3; i++) {
            assertEquals(i, values.next());
        }
        CompletableFuture<Boolean> more = InprocWorkers.onThread(values::hasNext);
        producer.awaitWaiting();
        stream.close();
        stream.close();
        producer.awaitInterrupted();
        producer.awaitClosed();
        assertFalse(more.get(30, TimeUnit.SECONDS));
        assertNothingLeft();
    }

    @Test
    void closeCancelsTheSubscription() throws Exception {
        RemoteStream<Integer> stream = publish(ENDLESS, "end", credits(CREDITS));
        assertEquals(0, stream.iterator().next());
        stream.close();
        producer.awaitClosed();
        assertNothingLeft();
    }

    @Test
    void lossOfTheConsumerReleasesTheProducer() throws Exception {
        Metrics.await(producer::made, made -> made == 0);
        Iterator<Integer> values = count(ENDLESS, "end", credits(CREDITS)).iterator();
        assertEquals(0, values.next());
        rpc.shutdownNow();
        producer.awaitClosed();
        Metrics.awaitNothingOwned(workers.get(1));
    }

    @Test
    void lossOfTheProducerFailsTheStream() throws Exception {
        Iterator<Integer> values = count(3, "block", credits(CREDITS)).iterator();
        for (int i = 0; i < 3; i++) {
            assertEquals(i, values.next());
        }
        producer.awaitWaiting();
        workers.get(1).shutdownNow();
        assertThrows(RpcConnectionException.class, values::hasNext);
        assertFalse(values.hasNext());
        producer.awaitClosed();
    }

    @Test
    void producerThatIsIdleFailsTheStream() throws Exception {
        var options = StreamOptions.DEFAULT.withIdleLimit(Duration.ofMillis(200));
        Iterator<Integer> values = publish(2, "nothing", options).iterator();
        assertEquals(0, values.next());
        assertEquals(1, values.next());
        var failure = assertThrows(RpcTimeoutException.class, values::hasNext);
        assertTrue(failure.getMessage().contains("PT0.2S"), failure::getMessage);
        producer.awaitClosed();
    }

    @Test
    void consumerThatIsIdleLosesTheProducer() throws Exception {
        var options = credits(1).withIdleLimit(Duration.ofMillis(200));
        Iterator<Integer> values = count(ENDLESS, "end", options).iterator();
        producer.awaitClosed();
        assertEquals(0, values.next());
        var failure = assertThrows(RpcException.class, values::hasNext);
        assertTrue(
                failure.getMessage().contains("no value of the stream was requested"),
                failure::getMessage);
    }

    @Test
    void limitsAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> credits(0));
        assertThrows(IllegalArgumentException.class, () -> credits(StreamOptions.MOST_CREDITS + 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> StreamOptions.DEFAULT.withIdleLimit(Duration.ZERO));
    }

    @Test
    void streamIsReadOnce() {
        RemoteStream<Integer> stream = count(3, "end", StreamOptions.DEFAULT);
        assertEquals(upTo(3), all(stream));
        assertThrows(IllegalStateException.class, stream::iterator);
        var second = new Collector(1);
        stream.subscribe(second);
        assertThrows(IllegalStateException.class, second::values);
    }

    @Test
    void streamsRunInSimulatedTime() throws Exception {
        try (var group = new SimulatedGroup(2, 7, Map.of())) {
            Call<Iterator<Integer>> numbers = Call.to(Streams::count, 100, "end");
            assertEquals(
                    upTo(100),
                    all(RemoteStream.ofIterator(group.get(0), "worker1", numbers, credits(5))));
            Call<Flow.Publisher<Integer>> nothing = Call.to(Streams::publish, 1, "nothing");
            Iterator<Integer> idle =
                    RemoteStream.ofPublisher(group.get(0), "worker1", nothing).iterator();
            assertEquals(0, idle.next());
            assertThrows(RpcTimeoutException.class, idle::hasNext); // after ten minutes
        }
    }

    // ---- subscribers

    @ParameterizedTest
    @ValueSource(longs = {1, 3, Long.MAX_VALUE})
    void subscriberGetsWhatItRequests(long each) throws Exception {
        for (int credits : List.of(1, 5, 64)) {
            var collector = new Collector(each);
            count(300, "end", credits(credits)).subscribe(collector);
            assertEquals(upTo(300), collector.values());
        }
        assertNothingLeft();
    }

    @Test
    void subscriberGetsTheFailure() throws Exception {
        var collector = new Collector(1);
        publish(20, "fail", credits(CREDITS)).subscribe(collector);
        assertThrows(RemoteException.class, collector::values);
        assertEquals(upTo(20), collector.received());
        var wrong = new Collector(0);
        count(20, "end", credits(CREDITS)).subscribe(wrong);
        assertThrows(IllegalArgumentException.class, wrong::values);
        assertNothingLeft();
    }

    @Test
    void cancelledSubscriptionGetsNothingMore() throws Exception {
        var collector = new Collector(1, 7);
        count(ENDLESS, "end", credits(CREDITS)).subscribe(collector);
        producer.awaitClosed();
        assertNothingLeft();
        assertEquals(upTo(7), collector.received());
    }

    // ---- permissions

    @Test
    void streamsNeedTheFunctionAndThePermissions() throws Exception {
        String function = Streams.class.getName() + ".count";
        assertDenied("worker0: " + function, "gradwire::stream_"); // next or open
        assertDenied("worker0: gradwire::stream_next, " + function, "gradwire::stream_open");
        assertDenied("worker0: gradwire::stream*", function);
        withPolicy("worker0: gradwire::stream*, " + function, rpc -> assertEquals(0, first(rpc)));
    }

    private static int first(Rpc rpc) {
        Call<Iterator<Integer>> call = Call.to(Streams::count, 3, "end");
        try (var stream = RemoteStream.ofIterator(rpc, "worker1", call)) {
            return stream.iterator().next();
        }
    }

    private static void assertDenied(String policy, String action) throws Exception {
        withPolicy(
                policy,
                rpc -> {
                    var denied = assertThrows(RpcException.class, () -> first(rpc));
                    assertEquals(RpcErrorKind.PERMISSION_DENIED, denied.kind());
                    assertTrue(denied.getMessage().contains(action), denied::getMessage);
                });
    }

    private static void withPolicy(String policy, InprocGroup.Body body) throws Exception {
        InprocGroup.runEach(
                2,
                rank -> rank == 1 ? Map.of("gradwire.allow", policy) : Map.of(),
                rpc -> {
                    if (rpc.self().id() == 0) {
                        body.run(rpc);
                    }
                });
    }
}
