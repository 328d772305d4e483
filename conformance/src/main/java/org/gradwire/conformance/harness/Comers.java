package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A dynamic group within this JVM, for a test that lets workers come and go from its own thread.
 * Closing it stops all that are left.
 */
public final class Comers implements AutoCloseable {
    private final BackendUnderTest backend;
    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private Comers(BackendUnderTest backend) {
        this.backend = backend;
    }

    /** Prepare a group that has no workers yet. */
    public static Comers of(BackendUnderTest backend) {
        return new Comers(backend);
    }

    /** Let {@code worker<id>} join. */
    public Rpc join(int id) {
        return join(RpcOptions.builder("worker" + id).rank(id).dynamicGroup());
    }

    /** Let a worker join that has said who it is and of what group. */
    public synchronized Rpc join(RpcOptions.Builder options) {
        options.rendezvous(meeting);
        backend.settings().forEach(options::set);
        Rpc rpc = Rpc.init(options.build());
        workers.add(rpc);
        return rpc;
    }

    @Override
    public synchronized void close() {
        workers.forEach(Rpc::shutdownNow);
    }
}
