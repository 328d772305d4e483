package org.gradwire.backend.tensorpipe;

import java.util.UUID;

/**
 * What distinguishes this host from others, containers included. {@link OperatingSystem#host} tells
 * it.
 *
 * @param text as it stands in a worker's address
 */
record HostIdentity(String text) {

    /** {@return one that no other worker has: nothing is known to be shared} */
    static HostIdentity stranger() {
        return new HostIdentity("unknown/" + UUID.randomUUID());
    }
}
