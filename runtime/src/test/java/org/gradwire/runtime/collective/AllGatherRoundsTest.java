package org.gradwire.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.collective.AllGatherRounds.Round;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The leader's rounds, in any order of events. */
class AllGatherRoundsTest {
    private static final TreeSet<String> NAMES = new TreeSet<>(List.of("a", "b", "c"));

    private long place; // where the last member joined

    private final AllGatherRounds leader =
            new AllGatherRounds("a", _ -> place, () -> new CallFuture<>(FutureHost.NONE));

    @Test
    void valuesMayComeBeforeTheLeaderItself() {
        leader.give("a,b,c#1", "b", 2, () -> {});
        leader.give("a,b,c#1", "c", 3, () -> {});
        Round round = leader.begin(NAMES, false);
        assertFalse(round.complete().isDone());
        leader.give(round, "a", 1);
        assertEquals(Map.of("a", 1, "b", 2, "c", 3), round.complete().value());
    }

    @Test
    void aFollowerThatComesAfterTheRoundFailedLearnsWhy() {
        Round round = leader.begin(NAMES, false);
        leader.left("c");
        var failure = assertThrows(RpcException.class, () -> round.complete().value());
        assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        leader.failed(round, failure);
        leader.end(round);
        assertSame(
                failure,
                assertThrows(RpcException.class, () -> leader.give("a,b,c#1", "b", 2, () -> {})));
    }

    @Test
    void theFirstToLeaveIsToBlame() {
        leader.left("c");
        leader.left("b");
        Round round = leader.begin(NAMES, false);
        assertEquals(
                "c is leaving the group, so a,b,c#1 cannot complete; all of them have to take part"
                        + " before one of them closes",
                assertThrows(RpcException.class, () -> round.complete().value()).getMessage());
    }

    @Test
    void aValueForARoundThatIsOverIsRefused() {
        Round round = leader.begin(NAMES, false);
        leader.end(round);
        assertEquals(
                "a does not take part in the all-gather a,b,c#1 now",
                assertThrows(
                                IllegalStateException.class,
                                () -> leader.give("a,b,c#1", "b", 2, () -> {}))
                        .getMessage());
        assertEquals(0, leader.open());
    }

    @Test
    void aValueThatComesTwiceIsRefused() {
        leader.give("a,b,c#1", "b", 2, () -> {});
        assertThrows(IllegalStateException.class, () -> leader.give("a,b,c#1", "b", 2, () -> {}));
    }

    @Test
    void onlyMembersOfARoundContributeToIt() {
        refused(() -> leader.give("a,b,c#1", "d", 2, () -> {})); // before the leader has begun
        Round round = leader.begin(NAMES, false);
        assertThrows(IllegalStateException.class, () -> leader.give("a,b,c#1", "d", 2, () -> {}));
        assertEquals(List.of("a", "b", "c"), leader.missing(round));
    }

    @Test
    void aRoundThatAnotherWorkerLeadsIsNotKept() {
        refused(() -> leader.give("_,b#1", "b", 2, () -> {}));
        assertEquals(0, leader.open());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "#", "#1", "a,b", "a,b#", "a,b#0", "a,b#x", "b,a#1", "a,a#1", "a,b@#1",
                "a,b@0#1", "a,b@x#1", "a,b#1@3"
            })
    void aSequenceIdThatNoWorkerFormsIsRefused(String sequence) {
        assertThrows(DecodingException.class, () -> leader.give(sequence, "b", 2, () -> {}));
        assertThrows(DecodingException.class, () -> leader.complete(sequence, "b", Map.of("b", 2)));
        assertEquals(0, leader.open());
    }

    @Test
    void aFollowerIsNotFarAheadOfItsLeader() {
        for (int i = 1; i <= AllGatherRounds.MAX_EARLY; i++) {
            leader.give("a,b,c#" + i, "b", i, () -> {});
        }
        refused(() -> leader.give("a,b,c#" + (AllGatherRounds.MAX_EARLY + 1), "b", 0, () -> {}));
        leader.give(
                "a,b,c#" + (AllGatherRounds.MAX_EARLY + 1),
                "c",
                0,
                () -> {}); // others are not concerned
        leader.lost("b", new RpcException("b is lost"));
        assertEquals(1, leader.open());
        leader.lost("c", new RpcException("c is lost"));
        assertEquals(0, leader.open());
    }

    @Test
    void onlyItsLeaderEndsARound() {
        var follower = new AllGatherRounds("b", _ -> 0, () -> new CallFuture<>(FutureHost.NONE));
        Round round = follower.begin(NAMES, false);
        Map<String, @Nullable Object> values = Map.of("a", 1, "b", 2, "c", 3);
        refused(() -> follower.complete("a,b,c#1", "c", values));
        refused(() -> follower.fail("a,b,c#1", "c", new RpcException("forged")));
        assertThrows(
                DecodingException.class,
                () -> follower.complete("a,b,c#1", "a", Map.of("a", 1, "b", 2)));
        assertFalse(round.complete().isDone());
        follower.complete("a,b,c#1", "a", values);
        assertEquals(values, round.complete().value());
    }

    private static void refused(Executable action) {
        assertEquals(RpcErrorKind.REFUSED, assertThrows(RpcException.class, action).kind());
    }

    @Test
    void aValueCountsUntilItsRoundIsOver() {
        var ended = new ArrayList<String>();
        leader.give("a,b,c#1", "b", 2, () -> ended.add("b"));
        leader.give("a,b,c#1", "c", 3, () -> ended.add("c"));
        var round = leader.begin(new TreeSet<>(List.of("a", "b", "c")), false);
        leader.give(round, "a", 1);
        assertEquals(List.of(), ended);
        leader.end(round);
        assertEquals(List.of("b", "c"), ended.stream().sorted().toList());
    }

    @Test
    void anEarlyValueOfALostWorkerCountsNoMore() {
        var ended = new ArrayList<String>();
        leader.give("a,b,c#1", "b", 2, () -> ended.add("b"));
        leader.give("a,b,c#1", "c", 3, () -> ended.add("c"));
        leader.lost("b", new RpcException("lost"));
        assertEquals(List.of("b"), ended);
    }

    @Test
    void roundsOfAnEarlierProcessMixWithNoneOfALaterOne() {
        var ended = new ArrayList<String>();
        place = 3;
        Round before = leader.begin(NAMES, false);
        assertEquals("a,b,c@3#1", before.sequence());
        leader.give("a,b,c@3#2", "b", 2, () -> ended.add("early"));
        leader.give("a,b,c@4#1", "b", 20, () -> ended.add("later")); // b knows the new c already
        before.complete().tryFail(new RpcException("c is lost"));
        leader.end(before);
        place = 4;
        leader.joined("c");
        assertEquals(List.of("early"), ended);
        assertThrows(IllegalStateException.class, () -> leader.give("a,b,c@3#2", "b", 2, () -> {}));
        Round round = leader.begin(NAMES, false);
        leader.give(round.sequence(), "c", 30, () -> {});
        leader.give(round, "a", 10);
        assertEquals(Map.of("a", 10, "b", 20, "c", 30), round.complete().value());
    }
}
