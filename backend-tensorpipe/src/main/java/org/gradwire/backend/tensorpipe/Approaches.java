package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The logs that are being made to peers that were only known: the driver is asked for each, and
 * what it has made is handed to the peer's outbox.
 *
 * <p>Touched by who has the receiver's turn, except where said.
 */
final class Approaches {

    /** What becomes of an approach. */
    interface Outcome {

        /** There is a log; the peer can be greeted. */
        void onLog(Peer peer);

        void lose(Peer peer, RpcException reason);
    }

    private static final Logger LOG = System.getLogger(Approaches.class.getPackageName());
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A log that the driver is asked for. */
    private static final class Order {
        private final Peer peer;
        private final long begunNanos = System.nanoTime();
        private long registration;
        private boolean isRefused;
        private long refusedNanos;
        private @Nullable RpcException refusal; // the last one

        Order(Peer peer) {
            this.peer = peer;
        }
    }

    private final DriverConnector.Connection connection;
    private final Peers peers;
    private final Statistics statistics;
    private final Outcome outcome;
    private final @Nullable Doorbell driverBell;
    private final long patienceNanos;
    private final List<Order> orders = new ArrayList<>();
    private volatile boolean isAwaiting;

    /**
     * Create it.
     *
     * @param patienceNanos how long the driver may take for one log, with all that it refuses
     */
    Approaches(
            DriverConnector.Connection connection,
            @Nullable Doorbell driverBell,
            Peers peers,
            Statistics statistics,
            long patienceNanos,
            Outcome outcome) {
        this.connection = connection;
        this.driverBell = driverBell;
        this.peers = peers;
        this.statistics = statistics;
        this.patienceNanos = patienceNanos;
        this.outcome = outcome;
    }

    /** Ask for a log to a peer, unless that was done before. */
    void begin(Peer peer) {
        if (!peer.beginConnecting()) {
            return;
        }
        peers.onConnecting();
        var order = new Order(peer);
        orders.add(order);
        isAwaiting = true;
        place(order);
    }

    private void place(Order order) {
        Route route = order.peer.route();
        order.isRefused = false;
        try {
            order.registration =
                    connection
                            .aeron()
                            .asyncAddExclusivePublication(route.channel(), route.stream());
        } catch (AeronException e) {
            onRefused(order, e);
        }
        if (driverBell != null) {
            driverBell.ring();
        }
    }

    /** {@return whether there may be logs to {@linkplain #take take}; for any thread} */
    boolean isAwaiting() {
        return isAwaiting;
    }

    /** Hand out the logs that have been made. */
    void take() {
        boolean wasInterrupted = Thread.interrupted(); // a thread that is could not map a log
        try {
            List.copyOf(orders).forEach(this::takeOrPlaceAgain);
            isAwaiting = !orders.isEmpty();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void takeOrPlaceAgain(Order order) {
        if (order.isRefused) {
            placeAgain(order);
        } else {
            take(order);
        }
    }

    private void placeAgain(Order order) {
        if (order.peer.isLost()) {
            orders.remove(order);
        } else if (System.nanoTime() - order.refusedNanos >= AGAIN_NANOS) {
            place(order);
        }
    }

    private void take(Order order) {
        Peer peer = order.peer;
        try {
            ExclusivePublication log =
                    connection.aeron().getExclusivePublication(order.registration);
            if (log != null) {
                orders.remove(order);
                Path bell = peer.route().bell();
                peer.attach(log, bell == null ? null : Doorbell.find(bell), driverBell);
                outcome.onLog(peer);
            } else if (isOverdue(order)) {
                connection.aeron().asyncRemovePublication(order.registration);
                giveUp(order, reason(order));
            }
        } catch (AeronException e) {
            onRefused(order, e);
        }
    }

    /** Why there is no log in time: what the driver said last, if it said anything. */
    private RpcException reason(Order order) {
        RpcException refusal = order.refusal;
        return refusal != null
                ? refusal
                : new RpcConnectionException(noLog(order.peer, "none in " + patience()));
    }

    private boolean isOverdue(Order order) {
        return System.nanoTime() - order.begunNanos >= patienceNanos;
    }

    private String patience() {
        return TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms";
    }

    private void giveUp(Order order, RpcException why) {
        orders.remove(order);
        outcome.lose(order.peer, why);
    }

    /** When the group meets, that fails; later on, room for a log may be found in time. */
    private void onRefused(Order order, AeronException cause) {
        RpcConfigurationException why = noLog(order.peer, cause);
        statistics.logsRefused.increment();
        if (order.peer.route().isEager() || isOverdue(order)) {
            giveUp(order, why);
        } else {
            LOG.log(Level.WARNING, "{0}; it is asked again in a second", why.getMessage());
            order.isRefused = true;
            order.refusal = why;
            order.refusedNanos = System.nanoTime();
        }
    }

    private RpcConfigurationException noLog(Peer peer, AeronException cause) {
        Route route = peer.route();
        boolean isRoom = String.valueOf(cause.getMessage()).contains("storage");
        String why =
                isRoom
                        ? SharedMemory.noRoomForLog(
                                connection.directory().path(),
                                route.termLength(),
                                route.isIpc() ? Keys.TERM_LENGTH : Keys.UDP_TERM_LENGTH)
                        : String.valueOf(cause.getMessage());
        return new RpcConfigurationException(noLog(peer, why), cause);
    }

    private static String noLog(Peer peer, String why) {
        return "the media driver cannot make a log to %s: %s".formatted(peer.label(), why);
    }
}
