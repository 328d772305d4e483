package org.gradwire.runtime.tests.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Functions whose values are streamed, with one state for each worker. */
@RemoteCallable
public final class Streams {
    private static final long LIMIT_SECONDS = 30;

    private final AtomicInteger made = new AtomicInteger();
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private Streams() {}

    public static Streams of(Rpc rpc) {
        return rpc.locals().get(Streams.class, Streams::new);
    }

    private static Streams here() {
        return of(Rpc.current());
    }

    /** {@return the number of values made} */
    public int made() {
        return made.get();
    }

    public void awaitWaiting() throws InterruptedException {
        await(waiting);
    }

    public void awaitInterrupted() throws InterruptedException {
        await(interrupted);
    }

    public void awaitClosed() throws InterruptedException {
        await(closed);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the event did not occur in time");
        }
    }

    /** The numbers from 0, which fail or block at their end if they shall. */
    private static final class Numbers implements Iterator<Integer>, AutoCloseable {
        private final Streams log;
        private final int count;
        private final String end;
        private int next;

        Numbers(Streams log, int count, String end) {
            this.log = log;
            this.count = count;
            this.end = end;
        }

        @Override
        public boolean hasNext() {
            if (next < count) {
                return true;
            }
            return switch (end) {
                case "fail" -> throw new IllegalStateException("no luck with " + next);
                case "block" -> block();
                default -> false;
            };
        }

        private boolean block() {
            log.waiting.countDown();
            try {
                await(new CountDownLatch(1));
            } catch (InterruptedException _) {
                log.interrupted.countDown();
            }
            return false;
        }

        @Override
        public Integer next() {
            log.made.incrementAndGet();
            return next++;
        }

        @Override
        public void close() {
            log.closed.countDown();
        }
    }

    /** {@return numbers from 0, then the end, a failure or a wait} */
    public static Iterator<Integer> count(int count, String end) {
        return new Numbers(here(), count, end);
    }

    /** {@return values of several types, and null at last if it shall} */
    public static Iterator<Object> mixed(boolean withNull) {
        List<Object> values = new ArrayList<>(List.of("text", Tensor.of(1f, 2f), List.of(1, 2)));
        if (withNull) {
            values.add(null);
        }
        return values.iterator();
    }

    /** {@return the value of a reference, fetched for each of some values} */
    public static Iterator<String> fetched(RRef<String> reference, int count) {
        return IntStream.range(0, count).mapToObj(_ -> reference.toHere()).iterator();
    }

    public static Object text() {
        return "text";
    }

    public static Stream<Integer> squares(int count) {
        Streams log = here();
        return IntStream.range(0, count).mapToObj(i -> i * i).onClose(log.closed::countDown);
    }

    public static Iterator<Integer> atLeastOne(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("no numbers");
        }
        return count(count, "end");
    }

    /** Publishes the numbers from 0 as they are requested, on the requesting thread. */
    private record Publication(Streams log, int count, String end)
            implements Flow.Publisher<Integer> {
        @Override
        public void subscribe(Flow.Subscriber<? super Integer> subscriber) {
            subscriber.onSubscribe(new NumberSubscription(this, subscriber));
        }
    }

    private static final class NumberSubscription implements Flow.Subscription {
        private final Publication publication;
        private final Flow.Subscriber<? super Integer> subscriber;
        private long demand; // these three guarded by this
        private int next;
        private boolean active;

        NumberSubscription(Publication publication, Flow.Subscriber<? super Integer> subscriber) {
            this.publication = publication;
            this.subscriber = subscriber;
        }

        @Override
        public synchronized void request(long n) {
            demand += n + (publication.end.equals("excess") ? 1 : 0);
            if (active) {
                return;
            }
            active = true;
            while (demand > 0 && next < publication.count) {
                demand--;
                publication.log.made.incrementAndGet();
                subscriber.onNext(next++);
            }
            if (next == publication.count && publication.end.equals("end")) {
                subscriber.onComplete();
            } else if (next == publication.count && publication.end.equals("fail")) {
                subscriber.onError(new IllegalStateException("no luck with " + next));
            }
            active = false;
        }

        @Override
        public void cancel() {
            publication.log.closed.countDown();
        }
    }

    /** {@return a publisher that is complete when it is subscribed to} */
    public static Flow.Publisher<Integer> publishNothing() {
        return subscriber -> {
            subscriber.onSubscribe(
                    new NumberSubscription(new Publication(here(), 0, ""), subscriber));
            subscriber.onComplete();
        };
    }

    /** {@return a publisher of numbers from 0, then the end, a failure or nothing} */
    public static Flow.Publisher<Integer> publish(int count, String end) {
        return new Publication(here(), count, end);
    }
}
