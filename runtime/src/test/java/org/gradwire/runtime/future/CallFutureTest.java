package org.gradwire.runtime.future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;

import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.RemoteTypeMismatchException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** A future ends once, notifies all listeners, and releases all waiting threads. */
class CallFutureTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final WorkerInfo WORKER = new WorkerInfo(1, "w1");

    private final ExecutorService callbackThreads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("callback").factory());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger waits = new AtomicInteger();
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<Runnable> work = new AtomicReference<>(() -> {});

    private final FutureHost host =
            new FutureHost() {
                @Override
                public int poll() {
                    work.getAndSet(() -> {}).run();
                    return 1;
                }

                @Override
                public boolean pause(long idleNanos, long mostNanos) {
                    return false;
                }

                @Override
                public void endPolling() {
                    events.add("end");
                }

                @Override
                public void linger() {
                    events.add("linger");
                }

                @Override
                public Executor callbacks() {
                    return callbackThreads;
                }

                @Override
                public void beginWait() {
                    events.add("wait");
                    waits.incrementAndGet();
                    waiting.incrementAndGet();
                }

                @Override
                public void endWait() {
                    waiting.decrementAndGet();
                }
            };

    private final CallFuture<String> future = new CallFuture<>(host);

    @AfterEach
    @AfterProperty
    void end() {
        callbackThreads.close();
        threads.close();
        assertEquals(0, waiting.get(), "waits that did not end");
    }

    private static <T> T join(RpcFuture<T> future) {
        return future.join(LONG);
    }

    // ---- polling

    @Test
    void aThreadWhoseWaitIsOverLingers() {
        work.set(() -> future.complete("value"));
        assertEquals("value", join(future));
        assertEquals(List.of("linger"), events);
    }

    @Test
    void aThreadThatParksCountsBeforeItEndsItsPolling() {
        assertThrows(RpcTimeoutException.class, () -> future.join(Duration.ofMillis(5)));
        assertEquals(List.of("wait", "end"), events);
    }

    @Test
    void aThreadWhosePollFailsDoesNotPark() {
        work.set(() -> {
            throw new IllegalStateException("no poll today");
        });
        assertThrows(IllegalStateException.class, () -> future.join(LONG));
        assertEquals(List.of("end"), events);
    }

    // ---- ending

    @Test
    void aFutureEndsOnce() {
        assertFalse(future.isDone());
        future.complete("value");
        assertTrue(future.isDone());
        for (Runnable again :
                List.<Runnable>of(
                        () -> future.complete("other"),
                        () -> future.fail(new RpcException("late")))) {
            assertEquals(
                    "the future is complete already; where several sources complete it, call tryComplete or tryFail",
                    assertThrows(IllegalStateException.class, again::run).getMessage());
        }
        assertFalse(future.tryComplete("other"));
        assertFalse(future.tryFail(new RpcException("late")));
        assertEquals("value", future.value());
        assertEquals("value", future.join());
    }

    @Test
    void theValueMayBeNull() {
        CallFuture<@Nullable String> empty = new CallFuture<>(host);
        empty.complete(null);
        assertTrue(empty.isDone());
        assertEquals(null, empty.join());
    }

    @Test
    void theValueOfAnUnfinishedFutureIsNotToBeHad() {
        assertEquals(
                "the future is not complete; use join() to wait for it",
                assertThrows(IllegalStateException.class, future::value).getMessage());
    }

    @RepeatedTest(50)
    void ofManyEndsOneCounts() throws Exception {
        var together = new CyclicBarrier(4);
        List<Future<String>> attempts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String mine = "value" + i;
            attempts.add(
                    threads.submit(() -> {
                        together.await();
                        return future.tryComplete(mine) ? mine : "";
                    }));
        }
        String value = join(future);
        List<String> won = new ArrayList<>();
        for (Future<String> attempt : attempts) {
            won.add(attempt.get());
        }
        won.removeIf(String::isEmpty);
        assertEquals(List.of(value), won);
    }

    // ---- waiting

    @Test
    void whatPollingBringsIsWaitedForWithoutParking() {
        work.set(() -> future.complete("value"));
        assertEquals("value", future.join());
        assertEquals(0, waits.get());
    }

    @RepeatedTest(20)
    void allWhoWaitGetTheValue() throws Exception {
        List<Future<String>> joins = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            joins.add(threads.submit(() -> future.join()));
            joins.add(callbackThreads.submit(() -> join(future)));
        }
        future.complete("value");
        for (Future<String> each : joins) {
            assertEquals("value", each.get());
        }
    }

    @Test
    void aWaitMayEndBeforeTheFutureDoes() {
        assertEquals(
                "the future was not complete within 20 ms",
                assertThrows(RpcTimeoutException.class, () -> future.join(Duration.ofMillis(20)))
                        .getMessage());
        assertThrows(RpcTimeoutException.class, () -> future.join(Duration.ZERO));
        assertThrows(RpcTimeoutException.class, () -> future.join(Duration.ofMillis(-1)));
        assertFalse(future.isDone());
        future.complete("value");
        assertEquals("value", future.join(Duration.ZERO));
    }

    @Test
    void aTimeoutMayBeLongerThanTimeLasts() throws Exception {
        Future<String> waiter =
                threads.submit(() -> future.join(Duration.ofSeconds(Long.MAX_VALUE)));
        future.complete("value");
        assertEquals("value", waiter.get());
    }

    @Test
    void anInterruptedWaitEndsAndTheFutureGoesOn() throws Exception {
        Future<Boolean> interrupted =
                threads.submit(() -> {
                    Thread.currentThread().interrupt();
                    var failure = assertThrows(RpcException.class, future::join);
                    assertEquals(
                            "interrupted while waiting for a call; the call itself continues",
                            failure.getMessage());
                    return Thread.interrupted();
                });
        assertTrue(interrupted.get());
        future.complete("value");
        assertEquals("value", future.join());
    }

    @Test
    void aFailureIsThrownWithTheStackOfTheOneWhoWaits() {
        List<RpcException> failures =
                List.of(
                        new RpcTimeoutException("text"),
                        new RpcConnectionException("text", new IOException("reset")),
                        new RpcException(RpcErrorKind.REFUSED, "text", new IOException("full")),
                        new RemoteException(WORKER, "Type", "text"));
        for (RpcException failure : failures) {
            failure.addSuppressed(new IOException("on the side"));
            var thrown = assertThrows(RpcException.class, () -> failed(failure).join());
            assertNotSame(failure, thrown);
            assertSame(failure.getClass(), thrown.getClass());
            assertEquals("text", thrown.getMessage());
            assertSame(failure.kind(), thrown.kind());
            assertSame(failure.getCause(), thrown.getCause());
            assertEquals(1, thrown.getSuppressed().length);
            assertTrue(
                    Arrays.stream(thrown.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("join")),
                    "the stack is from another thread");
        }
    }

    @Test
    void aRemoteFailureKeepsItsCategory() {
        var argument =
                assertThrows(
                        RemoteArgumentException.class,
                        () -> failed(new RemoteArgumentException(WORKER, "T", "text")).join());
        assertEquals(WORKER, argument.worker());
        assertEquals("T", argument.remoteType());
        var type =
                assertThrows(
                        RemoteTypeMismatchException.class,
                        () -> failed(new RemoteTypeMismatchException(WORKER, "T", "text")).join());
        assertEquals("text", type.getMessage());
    }

    @Test
    void aFailureOfUserCodeIsThrownAsItIs() {
        var failure = new UnsupportedOperationException("mine");
        assertSame(
                failure,
                assertThrows(UnsupportedOperationException.class, () -> failed(failure).value()));
    }

    private CallFuture<String> failed(RuntimeException failure) {
        return CallFuture.failed(host, failure);
    }

    // ---- listeners

    @Test
    void listenersRunWhereTheFutureEndsAndLateOnesAtOnce() {
        List<String> seen = new ArrayList<>();
        future.whenEnded((value, failure) -> seen.add("first " + value + " " + failure));
        future.whenEnded((value, _) -> seen.add("second " + value));
        future.complete("value");
        future.whenEnded((value, _) -> seen.add("late " + value));
        assertEquals(List.of("first value null", "second value", "late value"), seen);
    }

    @Test
    void aListenerThatThrowsLeavesNobodyWaiting() throws Exception {
        List<String> seen = new ArrayList<>();
        future.whenEnded((_, _) -> {
            throw new IllegalStateException("broken listener");
        });
        future.whenEnded((value, _) -> seen.add("second " + value));
        RpcFuture<String> next = future.then(done -> done.value() + "!");
        var parked = new CountDownLatch(1);
        Future<String> waiter =
                threads.submit(() -> {
                    parked.countDown();
                    return future.join();
                });
        parked.await();
        future.complete("value");
        assertEquals("value", waiter.get());
        assertEquals(List.of("second value"), seen);
        assertEquals("value!", join(next));
    }

    // ---- callbacks

    @Test
    void aCallbackGetsTheCompletedFutureAndGivesTheNext() {
        RpcFuture<Integer> length = future.then(done -> done.join().length());
        assertFalse(length.isDone());
        future.complete("value");
        assertEquals(5, join(length));
    }

    @Test
    void aCallbackRunsForAFailureToo() {
        RpcFuture<String> caught =
                future.then(done ->
                        "caught "
                                + assertThrows(RpcTimeoutException.class, done::join).getMessage());
        future.fail(new RpcTimeoutException("too late"));
        assertEquals("caught too late", join(caught));
    }

    @Test
    void aFailingCallbackFailsTheNextFutureInTheSameCategory() {
        future.complete("value");
        String prefix = "Got the following error when running the callback: ";
        assertFailure(
                TypeMismatchException.class,
                prefix + "org.gradwire.rpc.TypeMismatchException: wrong",
                new TypeMismatchException("wrong"));
        assertFailure(
                IllegalArgumentException.class,
                prefix + "java.lang.IllegalArgumentException: wrong",
                new IllegalArgumentException("wrong"));
        assertFailure(
                RpcException.class,
                prefix + "org.gradwire.rpc.RpcTimeoutException: late",
                new RpcTimeoutException("late"));
        assertFailure(
                RpcException.class,
                prefix + "java.io.IOException: broken",
                new IOException("broken"));
        assertFailure(
                RpcException.class,
                prefix + "java.lang.AssertionError: broken",
                new AssertionError("broken"));
        assertFailure(RpcException.class, prefix + Unprintable.class.getName(), new Unprintable());
        var late = chained(new RpcTimeoutException("late"));
        assertEquals(RpcErrorKind.TIMEOUT, assertThrows(RpcException.class, late::join).kind());
    }

    /** An exception whose text cannot be printed. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("not even this");
        }
    }

    private RpcFuture<String> chained(Throwable thrown) {
        return future.then(_ -> {
            switch (thrown) {
                case Exception e -> throw e;
                case Error e -> throw e;
                default -> throw new AssertionError(thrown);
            }
        });
    }

    private void assertFailure(
            Class<? extends RuntimeException> type, String text, Throwable thrown) {
        RuntimeException failure = assertThrows(type, () -> join(chained(thrown)));
        assertSame(type, failure.getClass());
        assertEquals(text, failure.getMessage());
        assertSame(thrown, failure.getCause());
    }

    @Test
    void callbacksRunOneAfterAnotherInTheirOrderOnAThreadOfTheHost() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        var running = new AtomicInteger();
        RpcFuture<Integer> last = null;
        for (int i = 0; i < 50; i++) {
            int mine = i;
            last =
                    future.then(_ -> {
                        assertEquals("callback", Thread.currentThread().getName());
                        assertEquals(1, running.incrementAndGet());
                        Thread.onSpinWait();
                        order.add(mine);
                        return running.decrementAndGet();
                    });
        }
        future.complete("value");
        assertEquals(0, join(Objects.requireNonNull(last)));
        assertEquals(IntStream.range(0, 50).boxed().toList(), order);
    }

    @Test
    void aCallbackOfACompletedFutureRunsAtOnceOnTheCallersThread() {
        future.complete("value");
        Thread caller = Thread.currentThread();
        List<Thread> ran = new ArrayList<>();
        future.onDone(_ -> ran.add(Thread.currentThread()));
        assertTrue(future.then(_ -> ran.add(Thread.currentThread())).isDone());
        assertEquals(List.of(caller, caller), ran);
    }

    @Test
    void aCallbackThatComesWhileEarlierOnesRunWaitsForThem() throws Exception {
        var started = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        future.onDone(_ -> {
            started.countDown();
            goOn.await();
            order.add("first");
        });
        future.complete("value");
        started.await();
        RpcFuture<Boolean> second = future.then(_ -> order.add("second"));
        assertFalse(second.isDone());
        goOn.countDown();
        assertTrue(join(second));
        assertEquals(List.of("first", "second"), order);
    }

    @Test
    void aCallbackMayWaitForAnotherOneOfItsOwnFuture() {
        RpcFuture<String> outer =
                future.then(done -> done.then(inner -> inner.value() + "!").join() + "?");
        future.complete("value");
        assertEquals("value!?", join(outer));
    }

    @Test
    void aConsumerThatThrowsStopsNothing() {
        future.onDone(_ -> {
            throw new IOException("broken consumer");
        });
        future.onDone(_ -> {
            throw new AssertionError("badly broken consumer");
        });
        chained(new AssertionError("badly broken callback")).onDone(_ -> {});
        RpcFuture<String> last = future.then(RpcFuture::value);
        future.complete("value");
        assertEquals("value", join(last));
        future.onDone(_ -> {
            throw new AssertionError("broken when it is late, too");
        });
    }

    @Property(tries = 200)
    void everyCallbackRunsOnceAfterTheEndAndInTheOrderOfItsThread(
            @ForAll @IntRange(min = 1, max = 3) int registrars,
            @ForAll @IntRange(min = 1, max = 30) int each)
            throws Exception {
        var raced = new CallFuture<String>(host);
        var together = new CyclicBarrier(registrars + 1);
        List<List<Integer>> ran = new ArrayList<>();
        List<Future<List<RpcFuture<Boolean>>>> registered = new ArrayList<>();
        for (int r = 0; r < registrars; r++) {
            List<Integer> mine = Collections.synchronizedList(new ArrayList<>());
            ran.add(mine);
            registered.add(
                    threads.submit(() -> {
                        together.await();
                        List<RpcFuture<Boolean>> results = new ArrayList<>();
                        for (int i = 0; i < each; i++) {
                            int number = i;
                            results.add(raced.then(done -> done.isDone() && mine.add(number)));
                        }
                        return results;
                    }));
        }
        together.await();
        raced.complete("value");
        for (Future<List<RpcFuture<Boolean>>> results : registered) {
            for (RpcFuture<Boolean> result : results.get()) {
                assertTrue(join(result));
            }
        }
        for (List<Integer> order : ran) {
            assertEquals(IntStream.range(0, each).boxed().toList(), order);
        }
    }

    // ---- the JDK's futures

    @Test
    void theJdksViewEndsAlike() {
        CompletableFuture<String> view = future.toCompletableFuture();
        future.complete("value");
        assertEquals("value", view.orTimeout(60, TimeUnit.SECONDS).join());

        var other = new CallFuture<String>(host);
        CompletableFuture<String> failing = other.toCompletableFuture();
        other.fail(new RpcTimeoutException("too late"));
        var failure = assertThrows(CompletionException.class, failing::join).getCause();
        assertEquals("too late", assertInstanceOf(RpcTimeoutException.class, failure).getMessage());
    }

    @Test
    void cancellingTheJdksViewCancelsTheFuture() {
        assertTrue(future.toCompletableFuture().cancel(true));
        RpcException failure = assertThrows(RpcException.class, future::join);
        assertEquals(RpcErrorKind.CANCELLED, failure.kind());
    }

    @Test
    void nothingElseOfTheJdksViewEndsTheFuture() {
        CompletableFuture<String> view = future.toCompletableFuture();
        CompletableFuture<String> completed = future.toCompletableFuture();
        CompletableFuture<String> timedOut = future.toCompletableFuture();
        assertNotSame(view, completed);
        assertTrue(view.thenApply(String::strip).cancel(true));
        assertTrue(completed.complete("another"));
        assertFalse(completed.cancel(true));
        assertThrows(
                CompletionException.class,
                () -> timedOut.orTimeout(1, TimeUnit.MILLISECONDS).join());
        assertFalse(future.isDone());
        future.complete("value");
        assertEquals("value", view.orTimeout(60, TimeUnit.SECONDS).join());
        assertEquals("another", completed.join());
    }

    @Test
    void dependentsOfTheJdksViewRunWhereCallbacksDo() {
        CompletableFuture<String> name =
                future.toCompletableFuture().thenApply(_ -> Thread.currentThread().getName());
        future.complete("value");
        assertEquals("callback", name.orTimeout(60, TimeUnit.SECONDS).join());
        CompletableFuture<String> complete =
                CallFuture.completed(host, "value").toCompletableFuture();
        assertSame(Thread.currentThread(), complete.thenApply(_ -> Thread.currentThread()).join());
    }

    @Test
    void whoIsToldOfACancellationIsToldOnce() {
        var told = new AtomicInteger();
        future.whenCancelled(told::incrementAndGet);
        assertTrue(future.cancel());
        assertFalse(future.cancel());
        assertEquals(1, told.get());
    }

    @Test
    void whatIsCompleteCannotBeCancelled() {
        var told = new AtomicInteger();
        future.whenCancelled(told::incrementAndGet);
        future.complete("value");
        assertFalse(future.cancel());
        assertEquals(0, told.get());
        assertEquals("value", future.join());
    }

    @Test
    void theFirstOfSeveralSourcesCounts() {
        RpcPromise<String> promise = future;
        assertTrue(promise.tryComplete("first"));
        assertFalse(promise.tryComplete("second"));
        assertFalse(promise.tryFail(new IllegalStateException("late")));
        assertEquals("first", promise.join());
        RpcPromise<String> failed = new CallFuture<>(host);
        var reason = new IllegalStateException("early");
        assertTrue(failed.tryFail(reason));
        assertFalse(failed.tryFail(new IllegalStateException("late")));
        assertFalse(failed.tryComplete("late"));
        assertEquals("early", assertThrows(IllegalStateException.class, failed::join).getMessage());
    }
}
