package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

/**
 * What an agent is made from.
 *
 * @param self the worker it serves
 * @param settings of the worker
 * @param store where the group meets; an agent leaves its address there for its peers
 * @param allocator of memory for incoming buffers
 * @param time of the worker; an agent whose messages pass through other hands than the JVM's cannot
 *     be simulated, and takes no notice of it
 */
public record AgentContext(
        WorkerInfo self,
        Settings settings,
        Store store,
        BufferAllocator allocator,
        WorkerTime time) {

    /** Create one in the time of the machine. */
    public AgentContext(
            WorkerInfo self, Settings settings, Store store, BufferAllocator allocator) {
        this(self, settings, store, allocator, WorkerTime.system());
    }
}
