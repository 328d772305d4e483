package org.gradwire.runtime.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberEvent.Kind;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Fail;
import org.gradwire.runtime.group.MembershipChange.Gap;
import org.gradwire.runtime.group.MembershipChange.Join;
import org.gradwire.runtime.group.MembershipChange.Leave;
import org.gradwire.runtime.store.StoreSecurity;
import org.gradwire.runtime.store.TestStores;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Set;

/** The agreement of a dynamic group on its members. */
class MembershipTest {
    private static final WorkerInfo FIRST = new WorkerInfo(0, "first");
    private static final WorkerInfo SECOND = new WorkerInfo(1, "second");

    private final Store store =
            new TestStores()
                    .open(
                            "inproc://members",
                            0,
                            0,
                            StoreSecurity.withToken(""),
                            Duration.ofSeconds(1));
    private final MembershipLog log = new MembershipLog(store);
    private final MembershipView view = new MembershipView();

    private List<WorkerInfo> members() {
        while (view.applied() < log.length()) {
            view.apply(log.read(view.applied() + 1));
        }
        return view.members();
    }

    private @Nullable Long place(WorkerInfo member) {
        var places = new HashMap<WorkerInfo, Long>();
        view.forEach(places::put);
        return places.get(member);
    }

    @Test
    void whoReadsTheLogKnowsTheMembersInTheOrderTheyCame() {
        assertEquals(1, log.append(new Join(SECOND)));
        assertEquals(2, log.append(new Join(FIRST)));
        assertEquals(List.of(SECOND, FIRST), members());
        assertEquals(2L, place(FIRST));
    }

    @Test
    void theSecondLeaveOfAMemberDoesNotHitItsSuccessor() {
        log.append(new Join(FIRST));
        log.append(new Join(SECOND));
        log.append(new Leave(1, 2));
        log.append(new Join(FIRST));
        log.append(new Leave(1, 2));
        assertEquals(List.of(SECOND, FIRST), members());
        assertEquals(4L, place(FIRST));
    }

    @Test
    void whoHasGoneHasNoPlace() {
        log.append(new Join(FIRST));
        log.append(new Leave(1, 1));
        assertEquals(List.of(), members());
        assertNull(place(FIRST));
    }

    /** Losses are mutual: the worker that the others have lost reports them too. */
    @Test
    void aLostMemberExpelsNoOther() {
        log.append(new Join(FIRST));
        log.append(new Join(SECOND));
        log.append(new Leave(2, 1));
        log.append(new Leave(1, 2));
        assertEquals(List.of(FIRST), members());
        log.append(new Join(SECOND));
        log.append(new Leave(1, 2));
        assertEquals(List.of(FIRST, SECOND), members());
        log.append(new Leave(1, 5));
        assertEquals(List.of(SECOND), members());
    }

    @Test
    void aRestartedWorkerReplacesItsEarlierProcessAtOnce() {
        log.append(new Join(FIRST));
        log.append(new Join(SECOND));
        log.append(new Join(SECOND, 2));
        members();
        assertEquals(3L, place(SECOND));
        log.append(new Leave(2, 1)); // the report of the loss comes later
        assertEquals(List.of(FIRST, SECOND), members());
        assertEquals(3L, place(SECOND));
    }

    @Test
    void aRestartedWorkerReplacesNoOther() {
        log.append(new Join(FIRST));
        log.append(new Join(SECOND, 1));
        assertEquals(List.of(FIRST, SECOND), members());
    }

    @Test
    void eventsHaveTheViewAfterTheirChange() {
        assertEquals(
                List.of(new MemberEvent(Kind.JOINED, FIRST, 1, new GroupView(1, List.of(FIRST)))),
                view.apply(new Join(FIRST)));
        view.apply(new Join(SECOND));
        assertEquals(
                List.of(
                        new MemberEvent(Kind.LOST, SECOND, 2, new GroupView(3, List.of(FIRST))),
                        new MemberEvent(
                                Kind.RETURNED,
                                SECOND,
                                3,
                                new GroupView(3, List.of(FIRST, SECOND)))),
                view.apply(new Join(SECOND, 2)));
        var withoutFirst = new GroupView(4, List.of(SECOND), Set.of(FIRST));
        assertEquals(
                List.of(new MemberEvent(Kind.LEFT, FIRST, 1, withoutFirst)),
                view.apply(new Leave(1, 1)));
        assertEquals(List.of(), view.apply(new Leave(3, 1)));
        assertEquals(List.of(), view.apply(new Gap()));
    }

    @Test
    void aWorkerThatCouldNotConnectIsLost() {
        view.apply(new Join(FIRST));
        view.apply(new Join(SECOND));
        assertEquals(
                List.of(new MemberEvent(Kind.LOST, SECOND, 2, new GroupView(3, List.of(FIRST)))),
                view.apply(new Fail(2)));
        assertEquals(List.of(), view.apply(new Fail(2)));
    }

    @Test
    void aWorkerHasLeftUntilItReturns() {
        view.apply(new Join(FIRST));
        view.apply(new Join(SECOND));
        view.apply(new Leave(1, 1));
        assertEquals(Set.of(FIRST), view.current().left());
        view.apply(new Join(FIRST));
        assertEquals(Set.of(), view.current().left());
        view.apply(new Leave(4, 2)); // by the other, so it is lost
        assertEquals(new GroupView(5, List.of(SECOND)), view.current());
    }

    @Test
    void aRestartedWorkerTakesOnlyItsOwnNameAndId() {
        Reservation.take(store, FIRST);
        Reservation.takeOver(store, FIRST).release();
        var otherName = new WorkerInfo(0, "other");
        var otherId = new WorkerInfo(5, "first");
        assertThrows(RpcConfigurationException.class, () -> Reservation.takeOver(store, otherName));
        assertThrows(RpcConfigurationException.class, () -> Reservation.takeOver(store, otherId));
        assertThrows(RpcConfigurationException.class, () -> Reservation.take(store, FIRST));
    }

    @Test
    void aWriterThatDiedHoldsNobodyUp() {
        store.add("changes", 1); // and writes no entry
        log.append(new Join(FIRST));
        assertEquals(List.of(FIRST), members());
        assertEquals(new Gap(), log.read(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "join",
                "join x first",
                "leave",
                "leave 1",
                "leave 1 b",
                "fail",
                "fail b",
                "jump 1",
                "join 0 first",
                "join 0 first x",
                "join -1 first 0",
                "join 0 fi\nrst 0",
                "join 0  0"
            })
    void anEntryThatMakesNoSenseIsAnError(String entry) {
        assertThrows(
                RpcException.class,
                () -> MembershipChange.decode(entry.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void anEntryThatMakesNoSenseHoldsNobodyUp() {
        store.add("changes", 1);
        store.set("change/1", "rubbish".getBytes(StandardCharsets.UTF_8));
        log.append(new Join(FIRST));
        assertEquals(List.of(FIRST), members());
    }

    @Test
    void aRefusedReservationLeavesNothingBehind() {
        Reservation first = Reservation.take(store, FIRST);
        var sameId = new WorkerInfo(0, "other");
        var sameName = new WorkerInfo(5, "first");
        assertThrows(RpcConfigurationException.class, () -> Reservation.take(store, sameId));
        assertThrows(RpcConfigurationException.class, () -> Reservation.take(store, sameName));
        Reservation.take(store, new WorkerInfo(5, "other")).release();
        first.release();
        Reservation.take(store, sameId).release();
        Reservation.take(store, sameName).release();
    }
}
