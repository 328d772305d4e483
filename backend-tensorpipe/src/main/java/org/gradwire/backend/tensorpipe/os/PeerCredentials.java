package org.gradwire.backend.tensorpipe.os;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * The credentials of the process that listens at a Unix socket ({@code SO_PEERCRED}).
 *
 * @param pid in this process's pid namespace; 0 if not visible from it
 * @param uid its effective user
 */
public record PeerCredentials(int pid, int uid) {

    /** {@return the credentials of the listener at a path; null if unknown} */
    public static @Nullable PeerCredentials of(Path socket) {
        return LibC.isAvailable() ? NativeSockets.peerCredentials(socket) : null;
    }

    /**
     * {@return whether this worker may read the process's memory: another process of the same user}
     */
    public boolean mayBeRead() {
        return pid > 0 && pid != ProcessHandle.current().pid() && uid == LibC.effectiveUser();
    }
}
