package org.gradwire.conformance.network;

import java.time.Duration;
import java.util.List;

/**
 * What a network does to the frames that pass, in either direction.
 *
 * @param loss share of the frames that get lost, 0 to below 1
 * @param delay of each frame, on average
 * @param jitter by which the delay of a frame is shorter or longer, drawn anew for each: frames
 *     overtake each other
 * @param seed from which losses and delays are drawn, in the order of the frames
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

    /** {@return the same as words, which {@link #parse} reads} */
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
