package org.gradwire.conformance.harness;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A dynamic group in this JVM, whose workers a test adds and removes from its own thread. Closing
 * it stops the remaining workers.
 */
public final class DynamicMembers implements AutoCloseable {
    private final BackendUnderTest backend;
    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    private DynamicMembers(BackendUnderTest backend) {
        this.backend = backend;
    }

    /** Create a group without workers. */
    public static DynamicMembers of(BackendUnderTest backend) {
        return new DynamicMembers(backend);
    }

    /** Add {@code worker<id>}. */
    public Rpc join(int id) {
        return join(RpcOptions.builder("worker" + id).rank(id).dynamicGroup());
    }

    /**
     * Add a worker with these options, to which the rendezvous and the backend's settings are
     * added.
     */
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
