package org.gradwire.backend.tensorpipe;

import io.aeron.ExclusivePublication;
import io.aeron.exceptions.AeronException;

import org.gradwire.backend.tensorpipe.address.Route;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.driver.SharedMemory;
import org.gradwire.backend.tensorpipe.os.Doorbell;
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
import java.util.function.Consumer;

/**
 * Requests publications to peers from the media driver, and attaches them to the peers' send
 * queues. A refused request is repeated every second until {@code connect-timeout} has passed.
 *
 * <p>Confined to the receive loop unless noted.
 */
final class PublicationRequests {
    private static final Logger LOG = System.getLogger(PublicationRequests.class.getPackageName());
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The request for the publication to one peer. */
    private static final class Request {
        private final Peer peer;
        private final long begunNanos = System.nanoTime();
        private long registration;
        private boolean isRefused;
        private long refusedNanos;
        private @Nullable RpcException refusal; // the last one

        Request(Peer peer) {
            this.peer = peer;
        }
    }

    private final DriverClient driver;
    private final Peers peers;
    private final Receiver receiver;
    private final AgentMetrics metrics;
    private final PeerCloser closer;
    private final Consumer<Peer> onPublication;
    private final long timeoutNanos;
    private final List<Request> requests = new ArrayList<>();
    private volatile boolean isAwaiting;

    /**
     * Create it without requests.
     *
     * @param timeoutNanos for one publication, including all refusals
     * @param onPublication called in the receive loop when a peer has its publication
     */
    PublicationRequests(
            DriverClient driver,
            Peers peers,
            Receiver receiver,
            AgentMetrics metrics,
            PeerCloser closer,
            long timeoutNanos,
            Consumer<Peer> onPublication) {
        this.driver = driver;
        this.peers = peers;
        this.receiver = receiver;
        this.metrics = metrics;
        this.closer = closer;
        this.timeoutNanos = timeoutNanos;
        this.onPublication = onPublication;
    }

    /** Request the publication to a peer soon, unless it was requested before. For any thread. */
    void request(Peer peer) {
        if (peer.isKnownOnly()) {
            receiver.post(() -> begin(peer));
        }
    }

    private void begin(Peer peer) {
        assert receiver.isInLoop();
        if (!peer.beginConnecting()) {
            return;
        }
        peers.onConnecting();
        var request = new Request(peer);
        requests.add(request);
        isAwaiting = true;
        send(request);
    }

    private void send(Request request) {
        request.isRefused = false;
        try {
            request.registration = driver.requestPublication(request.peer.route());
        } catch (AeronException e) {
            onRefused(request, e);
        }
        driver.ringDriver();
    }

    /** {@return whether a request is pending; for any thread} */
    boolean isAwaiting() {
        return isAwaiting;
    }

    /** Poll the driver's responses soon, if a request is pending. For any thread. */
    void pollSoon() {
        if (isAwaiting) {
            receiver.post(this::poll);
        }
    }

    private void poll() {
        assert receiver.isInLoop();
        boolean wasInterrupted = Thread.interrupted(); // an interrupted thread cannot map a log
        try {
            List.copyOf(requests).forEach(this::poll);
            isAwaiting = !requests.isEmpty();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void poll(Request request) {
        if (!request.isRefused) {
            attach(request);
        } else if (request.peer.isLost()) {
            requests.remove(request);
        } else if (System.nanoTime() - request.refusedNanos >= RETRY_NANOS) {
            send(request);
        }
    }

    private void attach(Request request) {
        Peer peer = request.peer;
        try {
            ExclusivePublication log = driver.publication(request.registration);
            if (log != null) {
                requests.remove(request);
                Path bell = peer.route().bell();
                peer.attach(log, bell == null ? null : Doorbell.find(bell), driver.driverBell());
                onPublication.accept(peer);
            } else if (isOverdue(request)) {
                driver.cancelPublication(request.registration);
                giveUp(request, timeoutFailure(request));
            }
        } catch (AeronException e) {
            onRefused(request, e);
        }
    }

    /** {@return the failure of a request: the driver's last refusal, or the lack of a response} */
    private RpcException timeoutFailure(Request request) {
        RpcException refusal = request.refusal;
        long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
        return refusal != null
                ? refusal
                : new RpcConnectionException(noLog(request.peer, "none in " + millis + " ms"));
    }

    private boolean isOverdue(Request request) {
        return System.nanoTime() - request.begunNanos >= timeoutNanos;
    }

    private void giveUp(Request request, RpcException why) {
        requests.remove(request);
        closer.lose(request.peer, why);
    }

    /**
     * Handle a refusal: it fails {@code connect}, but a peer that is first called later waits for
     * room.
     */
    private void onRefused(Request request, AeronException cause) {
        RpcConfigurationException why = noLog(request.peer, cause);
        metrics.logsRefused.increment();
        if (request.peer.route().isEager() || isOverdue(request)) {
            giveUp(request, why);
        } else {
            LOG.log(Level.WARNING, "{0}; the request is repeated in a second", why.getMessage());
            request.isRefused = true;
            request.refusal = why;
            request.refusedNanos = System.nanoTime();
        }
    }

    private RpcConfigurationException noLog(Peer peer, AeronException cause) {
        Route route = peer.route();
        boolean isRoom = String.valueOf(cause.getMessage()).contains("storage");
        String why =
                isRoom
                        ? SharedMemory.noRoomForLog(
                                driver.directory().path(),
                                route.termLength(),
                                route.isIpc()
                                        ? SettingKeys.TERM_LENGTH
                                        : SettingKeys.UDP_TERM_LENGTH)
                        : String.valueOf(cause.getMessage());
        return new RpcConfigurationException(noLog(peer, why), cause);
    }

    private static String noLog(Peer peer, String why) {
        return "the media driver cannot make a log to %s: %s".formatted(peer.label(), why);
    }
}
