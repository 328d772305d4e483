package org.gradwire.conformance.network;

import java.time.Duration;
import java.util.List;

/**
 * Faults of a network, in both directions.
 *
 * @param loss probability that a frame is lost, from 0 to below 1
 * @param delay average delay of a frame
 * @param jitter maximum deviation from the delay, drawn for each frame, so that frames overtake
 *     each other
 * @param seed seed of losses and delays, drawn in the order of the frames
 */
public record LinkFaults(double loss, Duration delay, Duration jitter, long seed) {
    private static final int FIELDS = 4;

    public LinkFaults {
        if (!(loss >= 0 && loss < 1) || jitter.isNegative() || delay.compareTo(jitter) < 0) {
            throw new IllegalArgumentException(
                    "a loss of %s, a delay of %s and a jitter of %s; expected 0 <= loss < 1 and 0 <= jitter <= delay"
                            .formatted(loss, delay, jitter));
        }
    }

    /** {@return the faults as arguments for {@link #parse}} */
    List<String> words() {
        return List.of(
                Double.toString(loss), delay.toString(), jitter.toString(), Long.toString(seed));
    }

    static LinkFaults parse(List<String> words) {
        if (words.size() != FIELDS) {
            throw new IllegalArgumentException(words + " are not loss, delay, jitter and seed");
        }
        return new LinkFaults(
                Double.parseDouble(words.get(0)),
                Duration.parse(words.get(1)),
                Duration.parse(words.get(2)),
                Long.parseLong(words.get(3)));
    }
}
