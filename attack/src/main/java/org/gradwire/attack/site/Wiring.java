package org.gradwire.attack.site;

import java.util.Map;

/** The transport between the workers of a group. */
public enum Wiring {
    /** Shared memory, on one host. */
    SHARED_MEMORY,
    /** UDP and TCP, on one host. */
    UDP,
    /** {@link #UDP}, with certificates of all workers instead of a token. */
    CERTIFICATES,
    /** TCP, by the backend {@code netty}, on one host. */
    NETTY,
    /** {@link #NETTY} with TLS: certificates of all workers instead of a token. */
    NETTY_TLS,
    /** {@link #SHARED_MEMORY}, with a second host for attackers. */
    TWO_HOSTS;

    /** {@return whether the workers have certificates} */
    boolean hasCertificates() {
        return this == CERTIFICATES || this == NETTY_TLS;
    }

    /** {@return the settings of the workers and attackers} */
    Map<String, String> environment() {
        return switch (this) {
            case SHARED_MEMORY, TWO_HOSTS -> Map.of();
            case UDP, CERTIFICATES -> Map.of("GRADWIRE_TENSORPIPE_TRANSPORT", "udp");
            case NETTY, NETTY_TLS ->
                    Map.of("GRADWIRE_BACKEND", "netty", "GRADWIRE_NETTY_HOST", "127.0.0.1");
        };
    }
}
