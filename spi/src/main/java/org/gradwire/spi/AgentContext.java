package org.gradwire.spi;

import org.gradwire.rpc.WorkerInfo;

/**
 * What an agent is made from.
 *
 * @param self the worker it serves
 * @param settings of the worker
 * @param store where the group meets; an agent leaves its address there for its peers
 * @param allocator of memory for incoming buffers
 */
public record AgentContext(
        WorkerInfo self, Settings settings, Store store, BufferAllocator allocator) {}
