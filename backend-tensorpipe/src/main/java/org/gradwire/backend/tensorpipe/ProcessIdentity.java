package org.gradwire.backend.tensorpipe;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One process of this host, not to be mistaken for a later one with the same number.
 *
 * @param pid its number in this process's pid namespace
 * @param startTicks when it started, in clock ticks since the host's boot
 */
record ProcessIdentity(long pid, long startTicks) {
    private static final int MOST_BYTES = 2048; // of 52 numbers and a name of 64 letters at most
    private static final int FIELDS_FROM_STATE_TO_START_TIME = 19;

    /** {@return this process} */
    static ProcessIdentity self() {
        return ofLiving(ProcessHandle.current().pid())
                .orElseThrow(() -> new IllegalStateException("/proc/self/stat cannot be read"));
    }

    /** {@return the living process of that number, if there is one} */
    static Optional<ProcessIdentity> ofLiving(long pid) {
        return ofStateOtherThan("ZX", pid);
    }

    /** {@return the process of that number, if there is one, in none of some states} */
    private static Optional<ProcessIdentity> ofStateOtherThan(String states, long pid) {
        String stat;
        // Each worker looks at all others of its host, so this takes no more than it must.
        try (var file = new FileInputStream("/proc/" + pid + "/stat")) {
            byte[] bytes = new byte[MOST_BYTES];
            int length = file.readNBytes(bytes, 0, MOST_BYTES);
            stat = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return Optional.empty();
        }
        // The command's name, in parentheses, may hold anything; the fields after it are numbers.
        int field = stat.lastIndexOf(')') + 2;
        if (states.indexOf(stat.charAt(field)) >= 0) {
            return Optional.empty();
        }
        for (int i = 0; i < FIELDS_FROM_STATE_TO_START_TIME; i++) {
            field = stat.indexOf(' ', field) + 1;
        }
        long startTicks = Long.parseLong(stat, field, stat.indexOf(' ', field), 10);
        return Optional.of(new ProcessIdentity(pid, startTicks));
    }

    /** {@return whether it lives and is not stopped, by a signal or a debugger} */
    boolean isRunning() {
        return ofStateOtherThan("ZXTt", pid).filter(this::equals).isPresent();
    }

    boolean isAlive() {
        return ofLiving(pid).filter(this::equals).isPresent();
    }
}
