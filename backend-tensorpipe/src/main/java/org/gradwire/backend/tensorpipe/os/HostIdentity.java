package org.gradwire.backend.tensorpipe.os;

import java.util.UUID;

/**
 * The identity of a host or container, from {@link OperatingSystem#host}.
 *
 * @param text in a worker's address
 */
public record HostIdentity(String text) {

    /**
     * {@return a random identity, which differs from every other: nothing is known to be shared}
     */
    public static HostIdentity stranger() {
        return new HostIdentity("unknown/" + UUID.randomUUID());
    }
}
