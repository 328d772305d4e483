package org.gradwire.runtime.group;

import org.gradwire.rpc.GroupView.MemberEvent;
import org.gradwire.rpc.GroupView.MemberEvent.Kind;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.group.MembershipChange.Fail;
import org.gradwire.runtime.group.MembershipChange.Join;
import org.gradwire.runtime.group.MembershipChange.Leave;
import org.gradwire.runtime.member.Members;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
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
    private final MemberLease lease;
    private final LossReports losses;
    private final Reservation reservation;
    private final Store store;
    private final int incarnation;
    private final boolean isRestarted;
    private final MembershipView view = new MembershipView(); // guarded by this
    private final Queue<MemberEvent> unsettled = new ArrayDeque<>(); // guarded by this
    private final ReentrantLock settling = new ReentrantLock();
    private final Map<WorkerInfo, Long> met =
            new ConcurrentHashMap<>(); // with the places where they joined
    private volatile @Nullable Membership membership;
    private volatile boolean departed;
    private volatile long ownPlace; // 0 before this worker joins
    private volatile boolean hasJoined; // connected to all members

    /** The parts of the worker, known when it joins. */
    private record Membership(
            Members members, RpcAgent agent, Host host, MemberConnector connector) {}

    private DynamicGroup(
            WorkerInfo self,
            Store store,
            Reservation reservation,
            boolean isRestarted,
            Duration leaseTime) {
        this.self = self;
        this.isRestarted = isRestarted;
        this.store = store;
        this.reservation = reservation;
        log = new MembershipLog(store);
        lease = new MemberLease(store, leaseTime);
        losses = new LossReports(self, () -> ownPlace, log, lease);
        incarnation = (int) store.add("joined/" + self.id(), 1) - 1;
    }

    /**
     * Reserve a name and an id in the group of a store.
     *
     * @param isRestarted whether an earlier process of the worker has ended, whose name and id it
     *     takes over
     * @param leaseTime time to live of the members' leases; zero: they have none
     * @throws RpcException when another member has the name or the id, or the group is static
     */
    public static DynamicGroup enter(
            WorkerInfo self, Store store, boolean isRestarted, Duration leaseTime) {
        boolean entered = false;
        try {
            GroupKind.DYNAMIC.require(store);
            Reservation reservation =
                    isRestarted ? Reservation.takeOver(store, self) : Reservation.take(store, self);
            var group = new DynamicGroup(self, store, reservation, isRestarted, leaseTime);
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
    public @Nullable String lapse() {
        return lease.lapse();
    }

    @Override
    public void join(Members members, RpcAgent agent, Host host) {
        members.set(List.of(self));
        agent.start(host);
        var connector = new MemberConnector(self, members, agent, host, losses);
        var joined = new Membership(members, agent, host, connector);
        // Set before others can read the place and send it in calls.
        long place = log.append(new Join(self, replaced()), own -> ownPlace = own);
        lease.acquire(self, place, reason -> stop(host, reason));
        readUpTo(place);
        synchronized (this) {
            view.forEach(members::meet);
            view.forEach(met::put);
            membership = joined;
            host.onFirstView(view.current());
        }
        Thread.ofVirtual().name("gradwire-" + self.name() + "-members").start(this::follow);
        connectAll(joined);
        awaitKnown(joined, place);
        hasJoined = true;
    }

    /** {@return the place where the process joined that this one replaces; 0 for none} */
    private long replaced() {
        if (!isRestarted) {
            return 0;
        }
        readUpTo(log.length());
        synchronized (this) {
            return view.place(self);
        }
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

    /** Follow the log until this worker has left, also through failures of the store. */
    private void follow() {
        boolean reaches = true;
        while (!departed) {
            try {
                followOnce();
                reaches = true;
            } catch (RpcException e) {
                if (reaches && !departed) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "{0} is not notified of workers that join while the rendezvous cannot be reached: {1}",
                            self,
                            e.getMessage());
                }
                reaches = false;
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private void followOnce() {
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

    private synchronized long applied() {
        return view.applied();
    }

    /** Apply a change to the view, and release the name that it frees. */
    private synchronized void apply(long place, MembershipChange change) {
        if (view.applied() + 1 != place) {
            return; // another thread has applied it
        }
        List<MemberEvent> events = view.apply(change);
        if (membership != null) {
            unsettled.addAll(events);
        }
        for (MemberEvent event : events) {
            if (event.kind().isDeparture() && authorOf(change, place) == ownPlace) {
                reservationOf(event.worker()).release();
            }
        }
    }

    /** {@return the place where the author of a change joined} */
    private static long authorOf(MembershipChange change, long place) {
        return switch (change) {
            case Leave leave -> leave.author();
            case Fail fail -> fail.joined();
            default -> place;
        };
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
            for (MemberEvent next; (next = nextUnsettled()) != null; ) {
                if (next.kind().isDeparture()) {
                    onLeft(joined, next);
                } else {
                    onJoined(joined, next);
                }
            }
        } finally {
            settling.unlock();
        }
    }

    private synchronized @Nullable MemberEvent nextUnsettled() {
        return unsettled.poll();
    }

    private void onJoined(Membership joined, MemberEvent event) {
        if (departed) {
            return;
        }
        WorkerInfo newcomer = event.worker();
        long place = event.incarnation();
        met.put(newcomer, place);
        joined.members.meet(newcomer, place);
        joined.host.onJoined(newcomer);
        joined.connector.connect(newcomer, place);
        joined.host.onMember(event);
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

    private void onLeft(Membership joined, MemberEvent event) {
        WorkerInfo gone = event.worker();
        if (event.incarnation() != ownPlace) {
            met.remove(gone);
            joined.connector.forget(gone);
            joined.members.remove(gone.name());
            // So that its loss is not attributed to a successor of its id.
            joined.agent.disconnect(gone.id());
            joined.host.forget(gone, PendingCalls.lost(gone, reason(event)));
            joined.host.onMember(event);
        } else {
            stop(
                    joined.host,
                    self
                            + " has stopped: the others of its group have lost it and continue without it");
        }
    }

    /** Stop this worker, which is no longer a member, unless it has left. */
    private void stop(Host host, String reason) {
        if (!departed) {
            departed = true;
            host.onExpelled(reason);
        }
    }

    private static String reason(MemberEvent event) {
        return "its incarnation %d %s the group in view %d"
                .formatted(
                        event.incarnation(),
                        event.kind() == Kind.LEFT ? "left" : "was lost to",
                        event.view().number());
    }

    private Reservation reservationOf(WorkerInfo member) {
        return member.equals(self) ? reservation : Reservation.of(store, member);
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
        losses.report(peer, place, () -> joined.host.forget(peer, reason));
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
        readUpTo(log.append(hasJoined ? new Leave(own, own) : new Fail(own)));
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
        lease.close();
        store.leave();
    }
}
