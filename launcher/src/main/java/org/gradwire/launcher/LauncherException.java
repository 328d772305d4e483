package org.gradwire.launcher;

import org.gradwire.launcher.console.ExitStatus;

/** An error that the user must fix before a group can start. Only the message is printed. */
final class LauncherException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    LauncherException(String message) {
        this(message, ExitStatus.BAD_USAGE);
    }

    LauncherException(String message, int status) {
        super(message);
        this.status = status;
    }

    /** {@return the launcher's exit code} */
    int status() {
        return status;
    }
}
