package org.gradwire.attack.intruder;

/**
 * The outcomes of the inputs of one attack.
 *
 * @param inputs sent inputs
 * @param refused inputs that ended with an error or a closed connection
 * @param served inputs served as if valid
 * @param connections opened connections
 */
public record InputCounts(long inputs, long refused, long served, long connections) {

    /** Parse the result of {@link #toString}. */
    public static InputCounts parse(String line) {
        String[] parts = line.split(" ", 4);
        return new InputCounts(
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
