package org.gradwire.spi.scheduler;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Rank, size and address as a reader found them; some may be missing.
 *
 * @param host of rank 0
 * @param port at which rank 0 serves the rendezvous
 * @param isOneHost whether all processes are on one host, as far as the variables show it
 */
record Place(
        OptionalInt rank,
        OptionalInt worldSize,
        Optional<String> host,
        OptionalInt port,
        boolean isOneHost) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String ALL_INTERFACES = "0.0.0.0";

    /** {@return the address at which this process meets its group} */
    Optional<String> rendezvous() {
        if (port.isEmpty() || (host.isEmpty() && !isOneHost)) {
            return Optional.empty();
        }
        return Optional.of("tcp://%s:%d".formatted(address(), port.getAsInt()));
    }

    private String address() {
        if (isOneHost) {
            return LOOPBACK;
        }
        String name = host.orElseThrow();
        return rank.orElse(-1) == 0 && !isLoopback(name) ? ALL_INTERFACES : bracketed(name);
    }

    private static boolean isLoopback(String name) {
        return name.equals("localhost") || name.startsWith("127.") || name.equals("::1");
    }

    /** {@return the host as in a URI, where an IPv6 address has brackets} */
    private static String bracketed(String name) {
        return name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
    }
}
