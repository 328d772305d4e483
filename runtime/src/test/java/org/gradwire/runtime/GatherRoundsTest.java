package org.gradwire.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.GatherRounds.Round;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What the leader keeps of rounds, in any order of events. */
class GatherRoundsTest {
    private static final TreeSet<String> NAMES = new TreeSet<>(List.of("a", "b", "c"));

    private final GatherRounds leader =
            new GatherRounds("a", () -> new CallFuture<>(FutureHost.NONE));

    @Test
    void valuesMayComeBeforeTheLeaderItself() {
        leader.give("a,b,c#1", "b", 2);
        leader.give("a,b,c#1", "c", 3);
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
        assertSame(failure, assertThrows(RpcException.class, () -> leader.give("a,b,c#1", "b", 2)));
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
                "a does not wait for sequence id a,b,c#1 any more",
                assertThrows(IllegalStateException.class, () -> leader.give("a,b,c#1", "b", 2))
                        .getMessage());
        assertEquals(0, leader.open());
    }

    @Test
    void aValueThatComesTwiceIsRefused() {
        leader.give("a,b,c#1", "b", 2);
        assertThrows(IllegalStateException.class, () -> leader.give("a,b,c#1", "b", 2));
    }
}
