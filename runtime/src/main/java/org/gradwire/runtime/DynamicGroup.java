package org.gradwire.runtime;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.MembershipChange.Join;
import org.gradwire.runtime.MembershipChange.Leave;
import org.gradwire.runtime.store.GroupStore;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.UntrustedText;
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

/**
 * A group whose workers come and go while calls are running. Who the members are is the sum of the
 * changes in a {@link MembershipLog}, which a thread of each member follows.
 */
final class DynamicGroup implements Group {
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
    private final Map<WorkerInfo, Long> met = new ConcurrentHashMap<>(); // and where they joined
    private final Map<WorkerInfo, Long> unconnected = new LinkedHashMap<>(); // guarded by settling
    private volatile @Nullable Membership membership;
    private volatile boolean departed;
    private volatile long ownPlace; // 0 before this worker joins

    /** What there is once a worker joins. */
    private record Membership(Members members, RpcAgent agent, Host host) {}

    /** A change that is in the view, and whom it concerns. */
    private record Applied(long place, MembershipChange change, WorkerInfo changed) {}

    private DynamicGroup(WorkerInfo self, GroupStore store, Reservation reservation) {
        this.self = self;
        this.store = store;
        this.reservation = reservation;
        log = new MembershipLog(store);
        incarnation = (int) store.add("joined/" + self.id(), 1) - 1;
    }

    /**
     * Take a name and an id in the group that meets in a store.
     *
     * @throws RpcException when a member has one of them, or the group is a static one
     */
    static DynamicGroup enter(WorkerInfo self, GroupStore store) {
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
        var joined = new Membership(members, agent, host);
        // Known here before others can read it and call this worker by it.
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

    /** Connect to all that are members; one that leaves meanwhile is none. */
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

    /** Return when the others can call this worker, so that it may tell them to. */
    private void awaitKnown(Membership joined, long place) {
        Map<WorkerInfo, RpcFuture<Input>> answers = new LinkedHashMap<>();
        for (WorkerInfo member : joined.members.all()) {
            if (!member.equals(self)) {
                Consumer<Output> body = out -> out.writeLong(place);
                answers.put(
                        member,
                        joined.host.request(member.id(), MessageTypes.JOIN_REQ, body, null));
            }
        }
        answers.forEach((member, answer) -> {
            try {
                answer.join();
            } catch (RpcException e) {
                if (joined.members.all().contains(member) && !joined.members.isLost(member)) {
                    throw e;
                }
            }
        });
    }

    @Override
    public List<RequestHandler> handlers() {
        return List.of(new JoinHandler());
    }

    /** Answers when this worker has met the newcomer. */
    private final class JoinHandler implements RequestHandler {
        @Override
        public int requestType() {
            return MessageTypes.JOIN_REQ;
        }

        @Override
        public boolean light() {
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
                    change = log.read(next); // its writer may have ended
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
                        "{0} does not learn any more who joins: {1}",
                        self,
                        e.getMessage());
            }
        }
    }

    private synchronized long applied() {
        return view.applied();
    }

    /** When this returns, the change is in the view, and a name that it frees is free. */
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
     * Act on all changes in the view, in their order; those that another thread acts on have been
     * acted on when this returns.
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
        connect(joined, newcomer, place);
    }

    /** Try again with members to which a fault of this worker kept it from connecting. */
    private void connectAgain() {
        Membership joined = membership;
        if (joined == null) {
            return;
        }
        settling.lock();
        try {
            Map.copyOf(unconnected).forEach((member, place) -> connect(joined, member, place));
        } finally {
            settling.unlock();
        }
    }

    private void connect(Membership joined, WorkerInfo newcomer, long place) {
        try {
            // To it alone: the address of another member, which may have changed, is no reason to
            // give up the newcomer.
            joined.agent.connect(List.of(newcomer));
            joined.members.connected(List.of(newcomer));
        } catch (RpcConnectionException e) {
            warn("{0} cannot reach {1}, which joined: {2}", newcomer, e);
            unconnected.remove(newcomer);
            appendLeave(place);
            return;
        } catch (RpcException e) { // a fault of this worker
            if (unconnected.put(newcomer, place) == null) {
                warn("{0} cannot connect to {1}, which joined, and tries again: {2}", newcomer, e);
            }
            return;
        }
        unconnected.remove(newcomer);
        try {
            joined.host.onConnected(newcomer);
        } catch (RpcException e) {
            warn("what {0} is told of {1}, which joined, cannot be: {2}", newcomer, e);
        }
    }

    private void warn(String text, WorkerInfo newcomer, RpcException e) {
        String reason = UntrustedText.quote(String.valueOf(e.getMessage()));
        LOGGER.log(System.Logger.Level.WARNING, text, self, newcomer, reason);
    }

    private void onLeft(Membership joined, WorkerInfo gone, Leave leave) {
        if (leave.joined() != ownPlace) {
            met.remove(gone);
            unconnected.remove(gone);
            joined.members.remove(gone.name());
            joined.agent.disconnect(gone.id()); // so that its loss is not taken for a successor's
            joined.host.forget(gone, PendingCalls.lost(gone, "it has left the group"));
        } else if (!departed) {
            departed = true;
            joined.host.onExpelled();
        }
    }

    private Reservation reservationOf(WorkerInfo member) {
        return member.equals(self) ? reservation : Reservation.of(store, member);
    }

    /** {@return whether that could be done} */
    private boolean appendLeave(long place) {
        try {
            log.append(new Leave(place, ownPlace));
            return true;
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot tell the group that a member has gone: {1}",
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
        Long place = met.get(peer); // not a successor's: it is met when this one is disconnected
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
    public void leave(Parting parting, Duration timeout) {
        long start = System.nanoTime();
        BooleanSupplier giveUp =
                () -> !timeout.isZero() && System.nanoTime() - start > timeout.toNanos();
        try {
            parting.gathering().announceLeaving(timeout);
            parting.rrefs().releaseAll(timeout);
            if (!ActiveCalls.awaitNone(
                    List.of(parting.unsent(), parting.outgoing(), parting.incoming()), giveUp)) {
                throw new RpcTimeoutException(
                        "%d calls of this worker and %d calls of peers are still under way, and %d control messages wait to be sent, after %d ms"
                                .formatted(
                                        parting.outgoing().count(),
                                        parting.incoming().count(),
                                        parting.unsent().count(),
                                        timeout.toMillis()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while leaving the group");
        } finally {
            tellDeparture();
        }
    }

    /** When this returns, the worker's name and id are free, unless others have given it up. */
    private void tellDeparture() {
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
            tellDeparture();
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "{0} could not tell that it leaves: {1}",
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
