package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * The process that listens at a Unix socket, as the kernel knows it ({@code SO_PEERCRED}).
 *
 * @param pid in this process's pid namespace; 0 when it is in none that is seen from here
 * @param uid its effective user
 */
record PeerCredentials(int pid, int uid) {

    /** {@return the listener's at a path; null when there is none, or the system does not say} */
    static @Nullable PeerCredentials of(Path socket) {
        return LibC.isAvailable() ? LibC.peerCredentials(socket) : null;
    }

    /**
     * {@return whether this worker may read the process's memory: it is another process of the same
     * user}
     */
    boolean mayBeRead() {
        return pid > 0 && pid != ProcessHandle.current().pid() && uid == LibC.effectiveUser();
    }
}
