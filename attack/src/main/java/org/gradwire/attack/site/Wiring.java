package org.gradwire.attack.site;

/** The transport between the workers of a group. */
public enum Wiring {
    /** Shared memory, on one host. */
    SHARED_MEMORY,
    /** UDP and TCP, on one host. */
    UDP,
    /** {@link #UDP}, with certificates of all workers instead of a token. */
    CERTIFICATES,
    /** {@link #SHARED_MEMORY}, with a second host for attackers. */
    TWO_HOSTS
}
