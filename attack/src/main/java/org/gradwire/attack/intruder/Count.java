package org.gradwire.attack.intruder;

/**
 * What became of the inputs of one attack.
 *
 * @param inputs that were sent
 * @param refused answered with a failure, or by the end of the connection
 * @param served answered as if they were sound
 * @param connections that were opened
 */
public record Count(long inputs, long refused, long served, long connections) {

    /** Read what {@link #toString} wrote. */
    public static Count parse(String line) {
        String[] parts = line.split(" ", 4);
        return new Count(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]));
    }

    @Override
    public String toString() {
        return inputs + " " + refused + " " + served + " " + connections;
    }
}
