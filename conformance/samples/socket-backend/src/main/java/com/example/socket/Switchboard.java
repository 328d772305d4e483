package com.example.socket;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The components of a started agent: outbound links, inbound connections, and the loopback. */
final class Switchboard {
    private static final long TICK_NANOS = Duration.ofMillis(1).toNanos();
    private static final long IDLE_NANOS = Duration.ofMillis(10).toNanos();
    private static final Duration TIME_TO_CLOSE = Duration.ofSeconds(1);

    private final Session session;
    private final Visits visits;
    private final Links links;
    private final Loopback loopback;

    Switchboard(Session session) {
        this.session = session;
        visits = new Visits(session);
        links = new Links(session, visits);
        loopback = new Loopback(session);
    }

    /** Start receiving, then publish the address. */
    void start() {
        loopback.start();
        visits.start();
        session.thread("deadlines", this::expire).start();
        visits.address().writeTo(session.context().store());
    }

    private void expire() {
        while (!session.isClosed().getAsBoolean()) {
            session.pending().expire(System.nanoTime());
            LockSupport.parkNanos(session.pending().size() == 0 ? IDLE_NANOS : TICK_NANOS);
        }
    }

    Links links() {
        return links;
    }

    /**
     * Send a request, which is released in any case.
     *
     * @throws RpcException if it cannot be sent
     */
    void send(int to, long id, Message request, long timeoutNanos) {
        session.requireSendable(request);
        if (to == session.identity().id()) {
            loopback.send(id, request, timeoutNanos);
        } else {
            links.send(to, id, request, timeoutNanos);
        }
    }

    private List<Connection> connections() {
        return Stream.concat(
                        links.all().stream().map(Link::connection),
                        visits.all().stream().map(Visit::connection))
                .toList();
    }

    Map<String, String> debugInfo() {
        Map<String, String> figures = new TreeMap<>();
        long waiting = connections().stream().mapToLong(Connection::waitingBytes).sum();
        figures.put("socket.port", Integer.toString(visits.address().port()));
        figures.put("socket.links", Integer.toString(links.all().size()));
        figures.put("socket.visits", Integer.toString(visits.all().size()));
        figures.put("socket.pending_calls", Integer.toString(session.pending().size()));
        figures.put("socket.waiting_bytes", Long.toString(waiting + loopback.waitingBytes()));
        session.counters().addTo(figures);
        return figures;
    }

    /**
     * Stop. Queued replies are still sent, so that peers do not take an orderly shutdown for a
     * loss, but only for a short time.
     */
    void close() {
        visits.close();
        loopback.close();
        List<Connection> connections = connections();
        long deadline = System.nanoTime() + TIME_TO_CLOSE.toNanos();
        try {
            connections.forEach(Connection::finish);
            for (Connection connection : connections) {
                connection.awaitWritten(Duration.ofNanos(deadline - System.nanoTime()));
            }
            connections.forEach(connection -> connection.end("the agent was closed"));
            for (Connection connection : connections) {
                connection.awaitEnd(Duration.ofNanos(deadline - System.nanoTime()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            connections().forEach(connection -> connection.end("the agent was closed"));
        }
    }
}
