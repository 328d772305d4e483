package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which faults are injected.
 *
 * @param numFailSends how many sends of the same payload fail before one succeeds
 * @param toFail types of messages that fail
 * @param toDelay types of messages that are late, and by how much
 */
record FaultPlan(int numFailSends, Set<Integer> toFail, Map<Integer, Duration> toDelay) {
    static final Map<String, Integer> TYPES =
            new TreeMap<>(
                    Map.of(
                            "RREF_FORK_REQUEST", MessageTypes.RREF_FORK_REQUEST,
                            "RREF_CHILD_ACCEPT", MessageTypes.RREF_CHILD_ACCEPT,
                            "RREF_USER_DELETE", MessageTypes.RREF_USER_DELETE,
                            "CLEANUP_AUTOGRAD_CONTEXT_REQ",
                                    MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                            "PYTHON_CALL", MessageTypes.PYTHON_CALL,
                            "SCRIPT_CALL", MessageTypes.SCRIPT_CALL,
                            "PYTHON_REMOTE_CALL", MessageTypes.PYTHON_REMOTE_CALL,
                            "SCRIPT_REMOTE_CALL", MessageTypes.SCRIPT_REMOTE_CALL,
                            "PYTHON_RREF_FETCH_CALL", MessageTypes.PYTHON_RREF_FETCH_CALL,
                            "SCRIPT_RREF_FETCH_CALL", MessageTypes.SCRIPT_RREF_FETCH_CALL));

    static FaultPlan of(Settings settings) {
        int numFailSends = settings.integer(FaultyBackend.NUM_FAIL_SENDS, 0, Integer.MAX_VALUE);
        Set<Integer> toFail = new TreeSet<>();
        words(settings, FaultyBackend.MESSAGES_TO_FAIL)
                .forEach(name -> toFail.add(typeOf(TYPES, name)));
        Map<Integer, Duration> toDelay = new TreeMap<>();
        for (String word : words(settings, FaultyBackend.MESSAGES_TO_DELAY)) {
            String[] parts = word.split(":", 2);
            toDelay.put(typeOf(TYPES, parts[0].strip()), delay(settings, word, parts));
        }
        return new FaultPlan(numFailSends, toFail, toDelay);
    }

    /** {@return the parts of a setting, which are separated by commas} */
    static List<String> words(Settings settings, String key) {
        return settings.find(key).stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    static int typeOf(Map<String, Integer> known, String name) {
        Integer type = known.get(name);
        if (type == null) {
            throw new RpcConfigurationException(
                    "No mapping to rpc::MessageType exists for %s; known are %s"
                            .formatted(name, known.keySet()));
        }
        return type;
    }

    private static Duration delay(Settings settings, String word, String[] parts) {
        if (parts.length < 2) {
            throw new RpcConfigurationException(
                    "%s holds '%s', which must have the form TYPE:DELAY, such as PYTHON_CALL:1.5s"
                            .formatted(FaultyBackend.MESSAGES_TO_DELAY, word));
        }
        String text = parts[1].strip();
        boolean negative = text.startsWith("-");
        Duration delay =
                negative
                        ? Duration.ZERO
                        : settings.parseDuration(FaultyBackend.MESSAGES_TO_DELAY, text);
        if (negative || delay.isNegative()) {
            throw new RpcConfigurationException(
                    "Delays passed to FaultyTensorPipeAgent must be non-negative. %s holds '%s'"
                            .formatted(FaultyBackend.MESSAGES_TO_DELAY, word));
        }
        return delay;
    }

    /** {@return the names of types, sorted} */
    static List<String> names(Set<Integer> types) {
        return types.stream().map(MessageTypes::name).sorted().toList();
    }
}
