package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What distinguishes this host from others, containers included: the kernel's boot id, the name,
 * and the namespace of process numbers.
 *
 * @param text the three, as they stand in a worker's address
 */
record HostIdentity(String text) {

    static HostIdentity self() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return new HostIdentity(boot + "/" + name + "/" + pidNamespace());
        } catch (IOException e) {
            // Without /proc nothing is known to be shared; a name of its own makes it a stranger.
            return new HostIdentity("unknown/" + java.util.UUID.randomUUID());
        }
    }

    /** {@return the number of the namespace in which processes are counted; 0 when not known} */
    static String pidNamespace() {
        try {
            // pid:[4026531836]
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException e) {
            return "0";
        }
    }
}
