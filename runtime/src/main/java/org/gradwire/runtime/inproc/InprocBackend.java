package org.gradwire.runtime.inproc;

import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;

/**
 * The backend for workers of one JVM: for tests, notebooks and embedded use. Messages are passed in
 * memory; buffers are copied, as between processes.
 */
public final class InprocBackend implements BackendProvider {
    private final Hub hub = new Hub();

    /** For {@link java.util.ServiceLoader}. */
    public InprocBackend() {}

    @Override
    public String name() {
        return "inproc";
    }

    @Override
    public RpcAgent create(AgentContext context) {
        return new InprocAgent(context, hub);
    }
}
