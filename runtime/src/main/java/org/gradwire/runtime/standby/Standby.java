package org.gradwire.runtime.standby;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The main class of a standby: a JVM that waits to become a worker that is started again, and that
 * has loaded its classes meanwhile.
 *
 * <p>The first argument is the program, {@code module/main.Class}, the others are the program's.
 * Standard input has the {@linkplain Assignment assignment}; when it ends without one, the standby
 * ends.
 */
final class Standby {
    private Standby() {}

    /**
     * Wait for an assignment, and run the program.
     *
     * @throws Exception that of the program
     */
    public static void main(String[] args) throws Exception {
        Program program = Program.find(args[0]);
        WarmUp.start();
        if (isAssigned(System.in)) {
            program.run(Arrays.copyOfRange(args, 1, args.length));
        }
    }

    private static boolean isAssigned(InputStream input) throws IOException {
        Assignment assignment = Assignment.read(input);
        assignment.apply();
        return !assignment.isEmpty();
    }
}
