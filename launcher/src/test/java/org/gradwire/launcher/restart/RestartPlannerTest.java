package org.gradwire.launcher.restart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.gradwire.launcher.restart.RestartDecision.Continue;
import org.gradwire.launcher.restart.RestartDecision.End;
import org.gradwire.launcher.restart.RestartDecision.Restart;
import org.gradwire.launcher.restart.RestartPlanner.Failure;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

class RestartPlannerTest {
    private static final Duration BRIEF = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private static RestartPlanner planner(int most, Optional<Duration> window, int least) {
        return new RestartPlanner(
                new RestartPolicy(OnFailure.RESTART_WORKER, most, window, 0, least));
    }

    private static Failure failure(int restart, Duration age) {
        return new Failure(1, restart, Membership.MEMBER, age);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void delaysGrowWhileAWorkerFailsSoon() {
        RestartPlanner planner = planner(100, Optional.empty(), 1);
        List<Long> delays =
                IntStream.range(0, 9)
                        .mapToObj(n -> planner.decide(failure(n, BRIEF), 1, seconds(n)))
                        .map(decision -> assertInstanceOf(Restart.class, decision))
                        .map(restart -> restart.delay().toMillis())
                        .toList();
        assertEquals(
                List.of(0L, 500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L),
                delays);
        assertEquals(
                new Restart(Duration.ZERO, 10), planner.decide(failure(9, LONG), 1, seconds(100)));
    }

    @Test
    void budgetIsThatOfTheWindow() {
        RestartPlanner planner = planner(2, Optional.of(Duration.ofSeconds(10)), 5);
        assertInstanceOf(Restart.class, planner.decide(failure(0, LONG), 1, seconds(0)));
        assertInstanceOf(Restart.class, planner.decide(failure(1, LONG), 1, seconds(5)));
        assertEquals(
                new End("2 of 2 restarts in 10 s are used"),
                planner.decide(failure(2, LONG), 1, seconds(10)));
        assertInstanceOf(Restart.class, planner.decide(failure(2, LONG), 1, seconds(11)));
        assertEquals(3, planner.restarts());
    }

    @Test
    void runContinuesWithEnoughOthers() {
        RestartPlanner planner = planner(0, Optional.empty(), 2);
        assertInstanceOf(Continue.class, planner.decide(failure(0, LONG), 2, 0));
        assertInstanceOf(End.class, planner.decide(failure(0, LONG), 1, 0));
    }

    @Test
    void firstProcessThatDidNotJoinIsNotStartedAgain() {
        RestartPlanner planner = planner(5, Optional.empty(), 1);
        assertInstanceOf(
                End.class, planner.decide(new Failure(1, 0, Membership.NOT_YET, BRIEF), 3, 0));
        assertInstanceOf(
                Restart.class, planner.decide(new Failure(1, 1, Membership.NOT_YET, BRIEF), 3, 0));
    }

    @Test
    void workerThatHadLeftIsNotStartedAgain() {
        RestartPlanner planner = planner(5, Optional.empty(), 2);
        var failure = new Failure(1, 0, Membership.LEFT, LONG);
        assertEquals(new Continue("it had left its group"), planner.decide(failure, 1, 0));
        assertEquals(new End("it had left its group"), planner.decide(failure, 0, 0));
        assertEquals(0, planner.restarts());
    }

    @Test
    void withoutAPolicyTheRunEnds() {
        var planner = new RestartPlanner(RestartPolicy.none());
        assertEquals(new End(""), planner.decide(failure(0, LONG), 3, 0));
    }
}
