package com.example.socket;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The listening port, and the inbound connections of authenticated peers.
 *
 * <p>An unauthenticated client costs a thread and a few hundred bytes for a few seconds, and there
 * are never more than {@value #MOST_STRANGERS} at a time. A client is refused if a newer agent has
 * its id, since a worker that was replaced must not be taken for its successor.
 */
final class Visits {
    private static final System.Logger LOG = System.getLogger(Visits.class.getPackageName());
    private static final int MOST_STRANGERS = 64;
    private static final Duration TIME_TO_GREET = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final Session session;
    private final ServerSocket door;

    // Guarded by this; the maps by id of the peer.
    private final Set<Socket> strangers = new HashSet<>();
    private final Map<Integer, Visit> visits = new HashMap<>();
    private final Map<Integer, Long> leastIncarnations = new HashMap<>();

    Visits(Session session) {
        this.session = session;
        String host = session.options().host();
        try {
            door = new ServerSocket(0, MOST_STRANGERS, InetAddress.getByName(host));
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "the backend 'socket' cannot listen at '%s': %s"
                            .formatted(host, e.getMessage()),
                    e);
        }
    }

    Address address() {
        return new Address(session.options().host(), door.getLocalPort(), session.identity());
    }

    void start() {
        session.thread("accept", this::accept).start();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                welcome(door.accept());
            } catch (IOException e) {
                if (!door.isClosed()) {
                    LOG.log(System.Logger.Level.WARNING, "a connection could not be accepted", e);
                    LockSupport.parkNanos(PAUSE_NANOS); // for example, too many open files
                }
            }
        }
    }

    private void welcome(Socket stranger) {
        if (!addStranger(stranger)) {
            turnAway(stranger);
            return;
        }
        session.thread(
                        "greet",
                        () -> {
                            try {
                                letIn(stranger);
                            } finally {
                                removeStranger(stranger);
                            }
                        })
                .start();
    }

    private synchronized boolean addStranger(Socket stranger) {
        return !session.isClosed().getAsBoolean()
                && strangers.size() < MOST_STRANGERS
                && strangers.add(stranger);
    }

    private synchronized void removeStranger(Socket stranger) {
        strangers.remove(stranger);
    }

    private void letIn(Socket stranger) {
        long deadline = System.nanoTime() + TIME_TO_GREET.toNanos();
        try {
            Identity peer =
                    new Handshake(session)
                            .receive(stranger, deadline, greeter -> objection(greeter, deadline));
            if (peer == null || !add(peer, stranger)) {
                turnAway(stranger);
            }
        } catch (IOException | DecodingException e) {
            LOG.log(System.Logger.Level.DEBUG, "a client did not complete the handshake", e);
            turnAway(stranger);
        }
    }

    private void turnAway(Socket stranger) {
        session.counters().onVisitorRefused();
        Connection.closeQuietly(stranger);
    }

    /** {@return why a dialer must be refused, or null; the store says which agent has its id} */
    private @Nullable String objection(Identity greeter, long deadline) {
        var left = Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
        try {
            Address known = Address.of(greeter.id(), session.context().store(), left);
            return known.identity().equals(greeter)
                    ? objection(greeter)
                    : "the store names another worker with id " + greeter.id();
        } catch (RpcException e) {
            return "the store does not name it: " + e.getMessage();
        }
    }

    /** {@return why this agent must be refused, or null} */
    private synchronized @Nullable String objection(Identity peer) {
        if (session.isClosed().getAsBoolean()) {
            return "the agent was closed";
        }
        if (peer.id() == session.identity().id()) {
            return "an agent does not dial itself";
        }
        return peer.incarnation() < leastIncarnations.getOrDefault(peer.id(), 0L)
                ? "a newer worker has id " + peer.id()
                : null;
    }

    private synchronized boolean add(Identity peer, Socket socket) {
        if (objection(peer) != null) {
            return false;
        }
        expect(peer);
        var visit = new Visit(session, peer, socket, this);
        Visit before = visits.put(peer.id(), visit);
        if (before != null) {
            before.connection().end("it was dialed again");
        }
        visit.connection().start();
        return true;
    }

    synchronized void remove(Visit visit) {
        visits.remove(visit.peer().id(), visit);
    }

    /** End the connection of a lost agent. */
    synchronized void end(Identity peer) {
        Visit visit = visits.get(peer.id());
        if (visit != null && visit.peer().equals(peer)) {
            visit.connection().end("the peer is lost");
        }
    }

    /** Record that an agent now has its id: end the connection of the former holder. */
    synchronized void expect(Identity peer) {
        requireIncarnation(peer.id(), peer.incarnation());
    }

    /** Remove an agent that has left the group: end its connection, and refuse new ones. */
    synchronized void forget(Identity peer) {
        requireIncarnation(peer.id(), peer.incarnation() + 1);
    }

    private void requireIncarnation(int id, long least) {
        leastIncarnations.merge(id, least, Math::max);
        Visit visit = visits.get(id);
        if (visit != null && visit.peer().incarnation() < least) {
            visit.connection().end("the worker with id %d has left the group".formatted(id));
        }
    }

    synchronized Collection<Visit> all() {
        return List.copyOf(visits.values());
    }

    /** Refuse all connections. */
    void close() {
        try {
            door.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing the listening port", e);
        }
        synchronized (this) {
            strangers.forEach(Connection::closeQuietly);
        }
    }
}
