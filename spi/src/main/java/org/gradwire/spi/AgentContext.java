package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

/**
 * The arguments of an agent's construction.
 *
 * @param self the worker it serves
 * @param settings of the worker
 * @param store rendezvous of the group, in which an agent publishes its address
 * @param allocator of memory for incoming buffers
 * @param time of the worker; ignored by an agent whose messages leave the JVM, which cannot be
 *     simulated
 */
public record AgentContext(
        WorkerInfo self,
        Settings settings,
        Store store,
        BufferAllocator allocator,
        WorkerTime time) {

    /** Create a context with {@link WorkerTime#system}. */
    public AgentContext(
            WorkerInfo self, Settings settings, Store store, BufferAllocator allocator) {
        this(self, settings, store, allocator, WorkerTime.system());
    }
}
