package org.gradwire.runtime.rref;

import static org.gradwire.runtime.rref.Deletions.MOST_UNANSWERED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Owners are told of all forks that are gone, of so many at a time. */
class DeletionsTest {
    private static final int FORKS = 3 * MOST_UNANSWERED + 1;

    private record Told(int owner, Deletions.Fork fork, CallFuture<@Nullable Void> answer) {}

    private final List<Told> open = new ArrayList<>();
    private final List<Deletions.Fork> told = new ArrayList<>();
    private final Deletions deletions =
            new Deletions((owner, fork) -> {
                var answer = new CallFuture<@Nullable Void>(FutureHost.NONE);
                open.add(new Told(owner, fork, answer));
                told.add(fork);
                return answer;
            });

    private static Deletions.Fork fork(int number) {
        return new Deletions.Fork(new GloballyUniqueId(0, number), new GloballyUniqueId(1, number));
    }

    private static List<Deletions.Fork> forks() {
        return IntStream.range(0, FORKS).mapToObj(DeletionsTest::fork).toList();
    }

    @Test
    void anOwnerIsToldOfMoreWhenItHasAnsweredHalf() {
        forks().forEach(fork -> deletions.send(7, fork));
        assertEquals(MOST_UNANSWERED, open.size());
        for (int i = 1; i < MOST_UNANSWERED / 2; i++) {
            open.removeLast().answer.complete(null);
        }
        assertEquals(MOST_UNANSWERED, told.size());
        open.removeLast().answer.complete(null);
        assertEquals(MOST_UNANSWERED, open.size());
        long seed = System.nanoTime();
        IO.println("seed " + seed);
        var random = new Random(seed);
        while (!open.isEmpty()) {
            CallFuture<@Nullable Void> answer = open.remove(random.nextInt(open.size())).answer;
            if (random.nextBoolean()) {
                answer.complete(null);
            } else {
                answer.fail(new RpcConnectionException("it is gone"));
            }
            assertTrue(open.size() <= MOST_UNANSWERED);
        }
        assertEquals(forks(), told);
    }

    @Test
    void ownersDoNotWaitForEachOther() {
        forks().forEach(fork -> deletions.send(7, fork));
        deletions.send(8, fork(-1));
        assertEquals(8, open.getLast().owner);
    }

    @Test
    void anyNumberOfAnswersMayComeAtOnce() {
        List<Deletions.Fork> failed = new ArrayList<>();
        var first = new CallFuture<@Nullable Void>(FutureHost.NONE);
        var quick =
                new Deletions((_, fork) -> {
                    failed.add(fork);
                    var answer = new CallFuture<@Nullable Void>(FutureHost.NONE);
                    if (failed.size() > MOST_UNANSWERED) {
                        answer.fail(new RpcConnectionException("it is gone"));
                        return answer;
                    }
                    return first;
                });
        int count = 1_000_000;
        IntStream.range(0, count).forEach(i -> quick.send(7, fork(i)));
        assertEquals(MOST_UNANSWERED, failed.size());
        first.complete(null);
        assertEquals(count, failed.size());
    }

    @Test
    void anOwnerThatCannotBeToldOfOneIsToldOfTheOthers() {
        List<Deletions.Fork> tried = new ArrayList<>();
        var refusing =
                new Deletions((_, fork) -> {
                    tried.add(fork);
                    throw new IllegalStateException("nothing is sent any more");
                });
        forks().forEach(fork -> refusing.send(7, fork));
        assertEquals(forks(), tried);
    }

    @Test
    void nothingIsToldAfterTheEnd() {
        forks().forEach(fork -> deletions.send(7, fork));
        deletions.stop();
        List.copyOf(open).forEach(each -> each.answer.complete(null));
        assertEquals(MOST_UNANSWERED, told.size());
    }
}
