package org.gradwire.backend.tensorpipe;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Peers on their way from known to open: the log to each, which the driver is asked for, then
 * greetings, and an end to both when they take too long.
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

    private record Order(Peer peer, long registration) {}

    private final DriverConnector.Connection connection;
    private final long timeoutNanos;
    private final Peers peers;
    private final Outcome outcome;
    private final @Nullable Doorbell driverBell;
    private final List<Order> orders = new ArrayList<>();
    private volatile boolean isAwaiting;

    Approaches(
            DriverConnector.Connection connection,
            long timeoutNanos,
            @Nullable Doorbell driverBell,
            Peers peers,
            Outcome outcome) {
        this.connection = connection;
        this.timeoutNanos = timeoutNanos;
        this.driverBell = driverBell;
        this.peers = peers;
        this.outcome = outcome;
    }

    /** Ask for a log to a peer, unless that was done before. */
    void begin(Peer peer) {
        if (!peer.beginConnecting(System.nanoTime())) {
            return;
        }
        peers.onConnecting();
        Route route = peer.route();
        try {
            Aeron aeron = connection.aeron();
            long order = aeron.asyncAddExclusivePublication(route.channel(), route.stream());
            orders.add(new Order(peer, order));
            isAwaiting = true;
        } catch (AeronException e) {
            outcome.lose(peer, noLog(peer, e));
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
        orders.removeIf(this::isTaken);
        isAwaiting = !orders.isEmpty();
    }

    private boolean isTaken(Order order) {
        Peer peer = order.peer;
        ExclusivePublication log;
        try {
            log = connection.aeron().getExclusivePublication(order.registration);
        } catch (AeronException e) {
            outcome.lose(peer, noLog(peer, e));
            return true;
        }
        if (log == null) {
            return false;
        }
        var file = peer.route().bell();
        peer.attach(log, file == null ? null : Doorbell.find(file), driverBell);
        outcome.onLog(peer);
        return true;
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
        return new RpcConfigurationException(
                "the media driver cannot make a log to %s: %s".formatted(peer.label(), why), cause);
    }

    /** {@return whether greeting a peer takes too long; for any thread} */
    boolean isLate(Peer peer, long nowNanos) {
        return peer.state() == Peer.State.CONNECTING
                && nowNanos - peer.connectingSinceNanos() > timeoutNanos;
    }

    /** {@return why a peer is given up that is not open in time} */
    RpcConnectionException notReached(Peer peer) {
        return new RpcConnectionException(
                "%s could not be reached in %d ms, by %s (greeted by it: %s, heard by it: %s)"
                        .formatted(
                                peer.label(),
                                timeoutNanos / 1_000_000,
                                peer.route().isIpc()
                                        ? "shared memory"
                                        : "UDP at " + peer.address().udpEndpoint(),
                                peer.hello() != null,
                                peer.helloSent()));
    }
}
