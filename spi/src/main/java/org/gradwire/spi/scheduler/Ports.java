package org.gradwire.spi.scheduler;

import java.util.OptionalInt;

/**
 * The port of a rendezvous that no variable names: a number from 20000 to 29999 that follows from
 * the number of a job, so that all of its processes choose the same one.
 */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;
    private static final int STEPS = 17; // steps of one job, and neighboring jobs, differ

    private Ports() {}

    /**
     * {@return {@code MASTER_PORT} if it is set, else 20000 + (17 job + step) mod 10000}
     *
     * @param job its number, or the hash of its name; empty if it has neither
     */
    static OptionalInt of(Variables variables, OptionalInt job, int step) {
        var named = variables.find("MASTER_PORT");
        if (named.isPresent()) {
            return variables.port("MASTER_PORT", named);
        }
        return job.isEmpty() ? job : OptionalInt.of(port(job.getAsInt(), step));
    }

    private static int port(int job, int step) {
        return FIRST + (int) Math.floorMod((long) STEPS * job + step, (long) COUNT);
    }
}
