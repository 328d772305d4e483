package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One process of this host, not to be mistaken for a later one with the same number.
 *
 * @param pid its number in this process's pid namespace
 * @param startTicks when it started, in clock ticks since the host's boot
 */
record ProcessIdentity(long pid, long startTicks) {
    private static final int STATE = 0;
    private static final int START_TIME = 19;

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
        try {
            stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        } catch (IOException _) {
            return Optional.empty();
        }
        // The command's name, in parentheses, may hold anything; the fields after it are numbers.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return states.contains(fields[STATE])
                ? Optional.empty()
                : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[START_TIME])));
    }

    /** {@return whether it lives and is not stopped, by a signal or a debugger} */
    boolean isRunning() {
        return ofStateOtherThan("ZXTt", pid).filter(this::equals).isPresent();
    }

    boolean isAlive() {
        return ofLiving(pid).filter(this::equals).isPresent();
    }
}
