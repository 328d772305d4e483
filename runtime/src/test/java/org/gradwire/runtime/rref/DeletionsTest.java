package org.gradwire.runtime.rref;

import static org.gradwire.runtime.rref.Deletions.MOST_IN_MESSAGE;
import static org.gradwire.runtime.rref.Deletions.MOST_UNANSWERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Owners are notified of all deleted forks, in batches, with a limit of unacknowledged ones. */
class DeletionsTest {
    private static final int FORKS = 3 * MOST_UNANSWERED + 1;
    private static final WireCodec CODEC =
            new WireCodec(new Values(List.of(), DeletionsTest.class.getClassLoader()), List.of());

    private record Told(int owner, List<Deletions.Fork> gone, CallFuture<@Nullable Void> answer) {}

    private final List<Told> open = new ArrayList<>();
    private final List<Deletions.Fork> told = new ArrayList<>();
    private final Queue<Runnable> delayed = new ArrayDeque<>();
    private final Deletions deletions = deletions(this::keepOpen);

    private CallFuture<@Nullable Void> keepOpen(int owner, List<Deletions.Fork> gone) {
        var answer = new CallFuture<@Nullable Void>(FutureHost.NONE);
        open.add(new Told(owner, gone, answer));
        told.addAll(gone);
        return answer;
    }

    private Deletions deletions(Deletions.Message message) {
        return new Deletions(
                message,
                new WorkerTime() {
                    @Override
                    public long nanoTime() {
                        return 0;
                    }

                    @Override
                    public Future<?> schedule(Runnable task, long delayNanos) {
                        assertEquals(Deletions.DELAY_NANOS, delayNanos);
                        var later = new FutureTask<>(task, null);
                        delayed.add(later);
                        return later;
                    }
                });
    }

    private void endDelays() {
        while (!delayed.isEmpty()) {
            delayed.remove().run();
        }
    }

    private static Deletions.Fork fork(int number) {
        return new Deletions.Fork(
                new GloballyUniqueId(0, number, 0), new GloballyUniqueId(1, number, 0));
    }

    private static List<Deletions.Fork> forks() {
        return IntStream.range(0, FORKS).mapToObj(DeletionsTest::fork).toList();
    }

    private List<Integer> openSizes() {
        return open.stream().map(message -> message.gone.size()).toList();
    }

    private int unanswered() {
        return openSizes().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void whatIsGoneAtAboutTheSameTimeIsToldTogether() {
        deletions.send(7, fork(0));
        deletions.send(7, fork(1));
        deletions.send(8, fork(2));
        assertEquals(2, delayed.size());
        assertEquals(List.of(), open);
        endDelays();
        deletions.send(7, fork(3));
        endDelays();
        assertEquals(List.of(7, 8, 7), open.stream().map(Told::owner).toList());
        assertEquals(List.of(2, 1, 1), openSizes());
    }

    @Test
    void whatWaitsIsToldAtOnceWhenAsked() {
        deletions.send(7, fork(0));
        deletions.send(8, fork(1));
        deletions.flush();
        assertEquals(Set.of(fork(0), fork(1)), Set.copyOf(told));
        endDelays();
        assertEquals(2, told.size());
    }

    @Test
    void allAreToldInTurnHoweverAnswersCome() {
        long seed = System.nanoTime();
        IO.println("seed " + seed);
        var random = new Random(seed);
        forks().forEach(fork -> deletions.send(7, fork));
        endDelays();
        assertEquals(MOST_UNANSWERED, unanswered());
        while (!open.isEmpty()) {
            assertTrue(unanswered() <= MOST_UNANSWERED, openSizes()::toString);
            CallFuture<@Nullable Void> answer = open.remove(random.nextInt(open.size())).answer;
            if (random.nextBoolean()) {
                answer.complete(null);
            } else {
                answer.fail(new RpcConnectionException("it was lost"));
            }
        }
        assertEquals(forks(), told);
    }

    @Test
    void aMessageThatIsNotAnsweredHoldsUpNoOthers() {
        for (Deletions.Fork fork : forks()) {
            deletions.send(7, fork);
            endDelays();
            if (told.size() > 1) {
                open.removeLast().answer.complete(null);
            }
        }
        assertEquals(List.of(1), openSizes());
        assertEquals(forks(), told);
    }

    @Test
    void ownersDoNotWaitForEachOther() {
        forks().forEach(fork -> deletions.send(7, fork));
        deletions.send(8, fork(-1));
        endDelays();
        assertEquals(8, open.getLast().owner);
    }

    @Test
    void anyNumberOfAnswersMayComeAtOnce() {
        List<Deletions.Fork> failed = new ArrayList<>();
        var first = new CallFuture<@Nullable Void>(FutureHost.NONE);
        var quick =
                deletions((_, gone) -> {
                    boolean isFirst = failed.isEmpty();
                    failed.addAll(gone);
                    if (isFirst) {
                        return first;
                    }
                    var answer = new CallFuture<@Nullable Void>(FutureHost.NONE);
                    answer.fail(new RpcConnectionException("it was lost"));
                    return answer;
                });
        int count = 1_000_000;
        IntStream.range(0, count).forEach(i -> quick.send(7, fork(i)));
        endDelays();
        first.complete(null);
        assertEquals(count, failed.size());
    }

    @Test
    void anOwnerThatCannotBeToldOfOneIsToldOfTheOthers() {
        List<Deletions.Fork> tried = new ArrayList<>();
        var refusing =
                deletions((_, gone) -> {
                    tried.addAll(gone);
                    throw new IllegalStateException("no further message is sent");
                });
        forks().forEach(fork -> refusing.send(7, fork));
        endDelays();
        assertEquals(forks(), tried);
    }

    @Test
    void nothingIsToldAfterTheEnd() {
        forks().forEach(fork -> deletions.send(7, fork));
        endDelays();
        deletions.send(8, fork(-1));
        int before = told.size();
        deletions.stop();
        endDelays();
        List.copyOf(open).forEach(each -> each.answer.complete(null));
        assertEquals(before, told.size());
    }

    private static List<Deletions.Fork> sent(Consumer<Output> body) {
        WireOutput out = CODEC.begin(1, false);
        body.accept(out);
        return Deletions.Fork.readAll(
                CODEC.open(0, out.toMessage(MessageTypes.RREF_USER_DELETE)).body());
    }

    @Test
    void forksArriveAsTheyWereSent() {
        List<Deletions.Fork> most = forks().subList(0, MOST_IN_MESSAGE);
        assertEquals(most, sent(out -> Deletions.Fork.writeAll(most, out)));
        assertEquals(List.of(), sent(out -> Deletions.Fork.writeAll(List.of(), out)));
    }

    @Test
    void aMessageOfMoreForksThanAnyWorkerSendsIsUndecodable() {
        List<Deletions.Fork> tooMany = forks().subList(0, MOST_IN_MESSAGE + 1);
        String text =
                assertThrows(
                                DecodingException.class,
                                () -> sent(out -> Deletions.Fork.writeAll(tooMany, out)))
                        .getMessage();
        assertEquals("count 257 is not in 0 to 256", text);
    }

    @Test
    void aMessageThatPromisesMoreForksThanItHasIsUndecodable() {
        for (int count : new int[] {-1, 3, Integer.MAX_VALUE}) {
            assertThrows(
                    DecodingException.class,
                    () ->
                            sent(out -> {
                                out.writeInt(count);
                                fork(1).rrefId().write(out);
                                fork(1).forkId().write(out);
                            }));
        }
    }
}
