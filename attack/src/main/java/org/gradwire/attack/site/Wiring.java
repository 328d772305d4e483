package org.gradwire.attack.site;

/** How the workers of a site reach each other. */
public enum Wiring {
    /** Through shared memory, on one host. */
    SHARED_MEMORY,
    /** Over UDP and TCP, on one host. */
    UDP,
    /** As {@link #SHARED_MEMORY}, with a second host beside them, on which attackers stand. */
    TWO_HOSTS
}
