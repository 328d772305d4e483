package org.gradwire.runtime.inproc;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The agents of this JVM by their address, a number that is left in the store. */
final class Hub {
    private final AtomicLong nextAddress = new AtomicLong();
    private final Map<Long, InprocAgent> agents = new ConcurrentHashMap<>();

    long add(InprocAgent agent) {
        long address = nextAddress.getAndIncrement();
        agents.put(address, agent);
        return address;
    }

    @Nullable InprocAgent find(long address) {
        return agents.get(address);
    }

    void remove(long address) {
        agents.remove(address);
    }
}
