package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Join;
import org.gradwire.runtime.group.MembershipChange.Leave;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.store.GroupStore;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A group that workers join and leave while calls are running. Its members follow from the changes
 * in a {@link MembershipLog}, which a thread of each member reads.
 */
public final class DynamicGroup implements Group {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final WorkerInfo self;
    private final MembershipLog log;
    private final Reservation reservation;
    private final GroupStore store;
    private final int incarnation;
    private final MembershipView view = new MembershipView(); // guarded by this
    private final Queue<Applied> unsettled = new ArrayDeque<>(); // guarded by this
    private final ReentrantLock settling = new ReentrantLock();
    private final Map<WorkerInfo, Long> met =
            new ConcurrentHashMap<>(); // with the places where they joined
    private volatile @Nullable Membership membership;
    private volatile boolean departed;
    private volatile long ownPlace; // 0 before this worker joins

    /** The parts of the worker, known when it joins. */
    private record Membership(
            Members members, RpcAgent agent, Host host, MemberConnector connector) {}

    /** A change applied to the view, and its worker. */
    private record Applied(long place, MembershipChange change, WorkerInfo changed) {}

    private DynamicGroup(WorkerInfo self, GroupStore store, Reservation reservation) {
        this.self = self;
        this.store = store;
        this.reservation = reservation;
        log = new MembershipLog(store);
        incarnation = (int) store.add("joined/" + self.id(), 1) - 1;
    }

    /**
     * Reserve a name and an id in the group of a store.
     *
     * @throws RpcException when a member has the name or the id, or the group is static
     */
    public static DynamicGroup enter(WorkerInfo self, GroupStore store) {
        boolean entered = false;
        try {
            GroupKind.DYNAMIC.require(store);
            var group = new DynamicGroup(self, store, Reservation.take(store, self));
            entered = true;
            return group;
        } finally {
            if (!entered) {
                store.leave();
            }
        }
    }

    @Override
    public int incarnation() {
        return incarnation;
    }

    @Override
    public long place() {
        return ownPlace;
    }

    @Override
    public void join(Members members, RpcAgent agent, Host host) {
        members.set(List.of(self));
        agent.start(host);
        var connector = new MemberConnector(self, members, agent, host, this::appendLeave);
        var joined = new Membership(members, agent, host, connector);
        // Set before others can read the place and send it in calls.
        long place = log.append(new Join(self), own -> ownPlace = own);
        readUpTo(place);
        synchronized (this) {
            view.forEach(members::meet);
            view.forEach(met::put);
            membership = joined;
        }
        Thread.ofVirtual().name("gradwire-" + self.name() + "-members").start(this::follow);
        connectAll(joined);
        awaitKnown(joined, place);
    }

    /** Connect to all members, except those that leave meanwhile. */
    private static void connectAll(Membership joined) {
        while (true) {
            List<WorkerInfo> met = joined.members.met();
            try {
                joined.agent.connect(met);
                joined.members.connected(met);
                return;
            } catch (RpcException e) {
                if (joined.members.met().containsAll(met)) {
                    throw e;
                }
            }
        }
    }

    /** Wait until the other members can call this worker. */
    private void awaitKnown(Membership joined, long place) {
        Map<WorkerInfo, RpcFuture<Input>> replies = new LinkedHashMap<>();
        for (WorkerInfo member : joined.members.all()) {
            if (!member.equals(self)) {
                Consumer<Output> body = out -> out.writeLong(place);
                replies.put(
                        member,
                        joined.host.request(member.id(), MessageTypes.JOIN_REQ, body, null));
            }
        }
        replies.forEach((member, reply) -> {
            try {
                reply.join();
            } catch (RpcException e) {
                if (joined.members.all().contains(member) && !joined.members.isLost(member.id())) {
                    throw e;
                }
            }
        });
    }

    @Override
    public List<RequestHandler> handlers(IntConsumer joining) {
        return List.of(new JoinHandler(joining));
    }

    /** Replies when this worker has met the new member. */
    private final class JoinHandler implements RequestHandler {
        private final IntConsumer joining;

        private JoinHandler(IntConsumer joining) {
            this.joining = joining;
        }

        @Override
        public int requestType() {
            return MessageTypes.JOIN_REQ;
        }

        @Override
        public boolean runsOnPoller() {
            return false;
        }

        @Override
        public void handle(IncomingRequest request) {
            long place = request.body().readLong();
            if (place > applied() && place > log.length()) {
                throw new RpcException(
                        RpcErrorKind.REFUSED,
                        "place %d is above the last one of the membership log".formatted(place));
            }
            readUpTo(place);
            settle();
            joining.accept(request.from()); // its name is known by now
            request.reply(MessageTypes.GATHER_ACK, _ -> {});
        }
    }

    private void readUpTo(long place) {
        for (long next = applied() + 1; next <= place; next++) {
            apply(next, log.read(next));
        }
    }

    private void follow() {
        try {
            while (!departed) {
                long next = applied() + 1;
                MembershipChange change = log.await(next, LOOK);
                if (change == null && log.length() >= next) {
                    change = log.read(next); // its writer may have died
                }
                if (change != null) {
                    apply(next, change);
                    settle();
                } else {
                    connectAgain();
                }
            }
        } catch (RpcException e) {
            if (!departed) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "{0} is no longer notified of workers that join: {1}",
                        self,
                        e.getMessage());
            }
        }
    }

    private synchronized long applied() {
        return view.applied();
    }

    /** Apply a change to the view, and release the name that it frees. */
    private synchronized void apply(long place, MembershipChange change) {
        if (view.applied() + 1 != place) {
            return; // another thread has applied it
        }
        WorkerInfo changed = view.apply(change);
        if (changed == null) {
            return;
        }
        if (membership != null) {
            unsettled.add(new Applied(place, change, changed));
        }
        if (change instanceof Leave leave && leave.author() == ownPlace) {
            reservationOf(changed).release();
        }
    }

    /**
     * Notify the worker of the changes in the view, in order. Changes that another thread handles
     * are handled when this method returns.
     */
    private void settle() {
        Membership joined = membership;
        if (joined == null) {
            return;
        }
        settling.lock();
        try {
            for (Applied next; (next = nextUnsettled()) != null; ) {
                switch (next.change) {
                    case Join _ -> onJoined(joined, next.changed, next.place);
                    case Leave leave -> onLeft(joined, next.changed, leave);
                    case MembershipChange.Gap _ -> {}
                }
            }
        } finally {
            settling.unlock();
        }
    }

    private synchronized @Nullable Applied nextUnsettled() {
        return unsettled.poll();
    }

    private void onJoined(Membership joined, WorkerInfo newcomer, long place) {
        if (departed) {
            return;
        }
        met.put(newcomer, place);
        joined.members.meet(newcomer, place);
        joined.host.onJoined(newcomer);
        joined.connector.connect(newcomer, place);
    }

    /** Connect again to members that a fault of this worker made unreachable. */
    private void connectAgain() {
        Membership joined = membership;
        if (joined == null) {
            return;
        }
        settling.lock();
        try {
            joined.connector.connectAgain();
        } finally {
            settling.unlock();
        }
    }

    private void onLeft(Membership joined, WorkerInfo gone, Leave leave) {
        if (leave.joined() != ownPlace) {
            met.remove(gone);
            joined.connector.forget(gone);
            joined.members.remove(gone.name());
            // So that its loss is not attributed to a successor of its id.
            joined.agent.disconnect(gone.id());
            joined.host.forget(gone, PendingCalls.lost(gone, "it has left the group"));
        } else if (!departed) {
            departed = true;
            joined.host.onExpelled();
        }
    }

    private Reservation reservationOf(WorkerInfo member) {
        return member.equals(self) ? reservation : Reservation.of(store, member);
    }

    /** Append the leave of a lost member; {@return false if the store fails} */
    private boolean appendLeave(long place) {
        try {
            log.append(new Leave(place, ownPlace));
            return true;
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot report a lost member to the group: {1}",
                    self,
                    e.getMessage());
            return false;
        }
    }

    @Override
    public void onLeaving(String name) {
        Membership joined = membership;
        if (joined != null) {
            joined.members.remove(name);
        }
    }

    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        Membership joined = membership;
        Long place = met.get(peer); // not of a successor, which is met only after this one is
        // disconnected
        if (joined == null || place == null || departed) {
            return;
        }
        Thread.ofVirtual()
                .start(() -> {
                    if (!appendLeave(place)) {
                        joined.host.forget(peer, reason);
                    }
                });
    }

    @Override
    public void leave(ShutdownContext context, Duration timeout) {
        long start = System.nanoTime();
        BooleanSupplier giveUp =
                () -> !timeout.isZero() && System.nanoTime() - start > timeout.toNanos();
        try {
            context.allGather().announceLeaving(timeout);
            context.rrefs().releaseAll(timeout);
            if (!context.inFlight().awaitNone(giveUp)) {
                throw new RpcTimeoutException(
                        "%s, after %d ms".formatted(context.inFlight(), timeout.toMillis()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while leaving the group");
        } finally {
            appendOwnLeave();
        }
    }

    /** Append the worker's leave and free its name and id, unless it was expelled. */
    private void appendOwnLeave() {
        if (departed) {
            return;
        }
        departed = true;
        long own = ownPlace;
        if (own == 0) {
            reservation.release(); // it never joined
            return;
        }
        readUpTo(log.append(new Leave(own, own)));
    }

    @Override
    public void depart() {
        try {
            appendOwnLeave();
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "{0} could not report that it leaves: {1}",
                    self,
                    e.getMessage());
        }
    }

    @Override
    public void close() {
        depart();
        store.leave();
    }
}
