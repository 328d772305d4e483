package org.gradwire.spi.scheduler;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.scheduler.Assignment.Part;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The environment variables that one scheduler's reader asks for. Records those that are set, the
 * missing ones and the invalid ones.
 */
final class Variables {
    private static final int MAX_SIZE = Short.MAX_VALUE;
    private static final int MAX_PORT = 65_535;

    private final Map<String, String> environment;
    private final Set<Part> required;
    private final Map<String, String> seen = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();
    private final List<String> invalid = new ArrayList<>();

    Variables(Map<String, String> environment, Set<Part> required) {
        this.environment = environment;
        this.required = required;
    }

    /** {@return the value of an optional variable; empty if it is blank} */
    Optional<String> find(String name) {
        Optional<String> value =
                Optional.ofNullable(environment.get(name))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty());
        value.ifPresent(text -> seen.put(name, text));
        return value;
    }

    /** {@return the rank, which is required} */
    OptionalInt rank(String name) {
        Optional<String> text = find(name);
        if (text.isEmpty()) {
            missing.add(name);
        }
        return integer(name, text, 0, MAX_SIZE - 1);
    }

    /** {@return the number of processes} */
    OptionalInt size(String name) {
        Optional<String> text = find(name);
        if (text.isEmpty() && required.contains(Part.WORLD_SIZE)) {
            missing.add(name);
        }
        return integer(name, text, 1, MAX_SIZE);
    }

    /** {@return the value of an optional integer} */
    OptionalInt number(String name) {
        return integer(name, find(name), 0, Integer.MAX_VALUE);
    }

    /**
     * {@return a port}
     *
     * @param text its text; empty if the variable is not set
     */
    OptionalInt port(String name, Optional<String> text) {
        return integer(name, text, 1, MAX_PORT);
    }

    /** Record that a variable is missing. */
    void require(String description) {
        missing.add(description);
    }

    /**
     * Record that the host or the port of rank 0 is missing, if the rendezvous must be assigned.
     */
    void requireRendezvous(boolean isPresent, String description) {
        if (!isPresent && required.contains(Part.RENDEZVOUS)) {
            missing.add(description);
        }
    }

    /**
     * Record an invalid value.
     *
     * @param problem completes a sentence that begins with the variable
     */
    void reject(String name, String problem) {
        invalid.add("%s=%s %s".formatted(name, shown(seen.getOrDefault(name, "")), problem));
    }

    private OptionalInt integer(String name, Optional<String> text, int least, int most) {
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return OptionalInt.of(value);
            }
        } catch (NumberFormatException _) {
            // rejected below, like a value outside the range
        }
        reject(name, "must be an integer from %d to %d".formatted(least, most));
        return OptionalInt.empty();
    }

    /**
     * {@return the assignment; empty if a variable is missing}
     *
     * @throws RpcConfigurationException when all are set, and one is invalid
     */
    Optional<Assignment> complete(String scheduler, Place place) {
        if (!missing.isEmpty()) {
            return Optional.empty();
        }
        int rank = place.rank().orElse(0);
        if (invalid.isEmpty() && rank >= place.worldSize().orElse(MAX_SIZE)) {
            invalid.add(
                    "the rank %d must be below the number of processes, %d"
                            .formatted(rank, place.worldSize().getAsInt()));
        }
        if (!invalid.isEmpty()) {
            throw new RpcConfigurationException(
                    "%s set an invalid value: %s; it set %s"
                            .formatted(scheduler, String.join(", ", invalid), seen()));
        }
        return Optional.of(new Assignment(scheduler, rank, place.worldSize(), place.rendezvous()));
    }

    boolean hasPrefix(String prefix) {
        return seen.keySet().stream().anyMatch(name -> name.startsWith(prefix));
    }

    /** {@return the variables that are set, the missing ones and the invalid ones} */
    String description() {
        String wrong = invalid.isEmpty() ? "" : " (" + String.join(", ", invalid) + ")";
        return seen() + wrong + ", but not " + String.join(", ", missing);
    }

    private String seen() {
        return seen.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + shown(variable.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** {@return a value for a message, without a password of an address} */
    private static String shown(String value) {
        return UntrustedText.quote(value.replaceAll("//[^/@]*@", "//***@"));
    }
}
