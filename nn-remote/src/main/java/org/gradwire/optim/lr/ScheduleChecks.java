package org.gradwire.optim.lr;

/** Validates the epochs of schedules. */
final class ScheduleChecks {

    private ScheduleChecks() {}

    static void atLeastOne(String name, int epochs) {
        if (epochs < 1) {
            throw new IllegalArgumentException(
                    "%s must be at least 1, not %d".formatted(name, epochs));
        }
    }
}
