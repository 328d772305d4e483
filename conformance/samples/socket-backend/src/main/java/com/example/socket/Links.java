package com.example.socket;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Message;

import java.net.Socket;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The links of an agent to the other members of its group. */
final class Links {
    private final Session session;
    private final Visits visits;
    private final Map<Integer, Link> links = new ConcurrentHashMap<>(); // by id of the peer
    private final Map<Integer, Dial> dials = new ConcurrentHashMap<>(); // pending attempts
    private final ReentrantLock connecting = new ReentrantLock();

    Links(Session session, Visits visits) {
        this.session = session;
        this.visits = visits;
    }

    void connect(List<WorkerInfo> members) {
        long deadline = System.nanoTime() + session.options().connectTimeout().toNanos();
        connecting.lock();
        try {
            for (WorkerInfo member : members) {
                if (member.id() != session.identity().id()) {
                    connect(member, new Dial(session, member, deadline));
                }
            }
        } finally {
            connecting.unlock();
        }
    }

    private void connect(WorkerInfo member, Dial dial) {
        dials.put(member.id(), dial);
        try {
            Address address = dial.address();
            Link old = links.get(member.id());
            if (old != null && old.identity().equals(address.identity())) {
                return; // connected, or lost until the group declares that the member has left
            }
            if (old != null) {
                old.lose("another worker has its id now");
            }
            Socket socket = dial.connect(address);
            if (socket != null) {
                add(new Link(session, member, address.identity(), socket, visits), member, dial);
            }
        } finally {
            dials.remove(member.id(), dial);
        }
    }

    private void add(Link link, WorkerInfo member, Dial dial) {
        visits.expect(link.identity());
        links.put(member.id(), link);
        link.start();
        if (dial.isGivenUp()) {
            remove(member.id(), link); // it left after the connect, before the link was visible
        }
    }

    void disconnect(int member) {
        Dial dial = dials.get(member);
        if (dial != null) {
            dial.giveUp();
        }
        Link link = links.get(member);
        if (link != null) {
            remove(member, link);
        }
    }

    private void remove(int member, Link link) {
        visits.forget(link.identity());
        link.lose("it has left the group");
        links.remove(member, link);
    }

    /**
     * Send a request, which is released in any case.
     *
     * @throws RpcException if it cannot be sent
     */
    void send(int to, long id, Message request, long timeoutNanos) {
        Link link = links.get(to);
        if (link == null) {
            request.release();
            throw new RpcConnectionException(
                    "Connection to worker %d does not exist: it is not a member of the group, or has left"
                            .formatted(to));
        }
        link.send(id, request, timeoutNanos);
    }

    Collection<Link> all() {
        return links.values();
    }
}
