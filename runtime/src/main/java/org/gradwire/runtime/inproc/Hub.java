package org.gradwire.runtime.inproc;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The agents of this JVM by address. An address is a text in the store: {@code hub/number}.
 *
 * <p>The hub is part of the address because each JVM numbers its agents from zero.
 */
final class Hub {
    private final String id = UUID.randomUUID().toString();
    private final AtomicLong nextNumber = new AtomicLong();
    private final Map<String, InprocAgent> agents = new ConcurrentHashMap<>();

    String add(InprocAgent agent) {
        String address = id + "/" + nextNumber.getAndIncrement();
        agents.put(address, agent);
        return address;
    }

    /** {@return the agent with an address of this hub; null if it has left} */
    @Nullable InprocAgent find(String address) {
        return agents.get(address);
    }

    void remove(String address) {
        agents.remove(address);
    }

    boolean isOwn(String address) {
        return hub(address).equals(Optional.of(id));
    }

    /** {@return whether a text is the address of an agent of any hub} */
    static boolean isAddress(String text) {
        return hub(text).isPresent();
    }

    private static Optional<String> hub(String address) {
        int slash = address.indexOf('/');
        return address.matches("[0-9a-f-]{36}/[0-9]{1,19}")
                ? Optional.of(address.substring(0, slash))
                : Optional.empty();
    }
}
