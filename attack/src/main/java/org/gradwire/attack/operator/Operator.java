package org.gradwire.attack.operator;

import org.gradwire.attack.intruder.InputCounts;
import org.gradwire.attack.site.VictimGroup;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Changes the files of a group with certificates while its workers call each other. */
@FunctionalInterface
public interface Operator {
    /**
     * Change the files of a group.
     *
     * @param inputs number of changes
     * @param time after which no other change begins
     * @throws IOException when the group did not follow a change as it should, with the reason
     */
    InputCounts operate(VictimGroup group, RandomGenerator random, long inputs, Duration time)
            throws IOException, InterruptedException;

    /** {@return the operator with a name} */
    static Operator named(String name) {
        Operator operator =
                Map.<String, Operator>of("rotation", new Rotation(), "revocation", new Revocation())
                        .get(name);
        if (operator == null) {
            throw new IllegalArgumentException("no operator '" + name + "'");
        }
        return operator;
    }
}
