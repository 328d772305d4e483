package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Settings;

import java.util.Map;
import java.util.TreeMap;

/**
 * What share of the requests of a type is lost, whose replies are lost, and what is sent twice.
 *
 * @param requests shares of requests that do not arrive
 * @param replies shares of requests whose replies do not arrive
 * @param repeated shares of requests that arrive twice
 * @param seed with which it is drawn
 */
record LossPlan(
        Map<Integer, Double> requests,
        Map<Integer, Double> replies,
        Map<Integer, Double> repeated,
        int seed) {
    private static final Map<String, Integer> MORE_TYPES =
            Map.of(
                    "FORWARD_AUTOGRAD_REQ", MessageTypes.FORWARD_AUTOGRAD_REQ,
                    "BACKWARD_AUTOGRAD_REQ", MessageTypes.BACKWARD_AUTOGRAD_REQ,
                    "RUN_WITH_PROFILING_REQ", MessageTypes.RUN_WITH_PROFILING_REQ,
                    "CANCEL_REQ", MessageTypes.CANCEL_REQ,
                    "CALLS_ENDED_REQ", MessageTypes.CALLS_ENDED_REQ,
                    "DISCOVER_AUTOGRAD_REQ", MessageTypes.DISCOVER_AUTOGRAD_REQ);

    static LossPlan of(Settings settings) {
        return new LossPlan(
                shares(settings, FaultyBackend.REQUESTS_TO_LOSE),
                shares(settings, FaultyBackend.REPLIES_TO_LOSE),
                shares(settings, FaultyBackend.REQUESTS_TO_REPEAT),
                settings.integer(FaultyBackend.SEED, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    boolean isEmpty() {
        return requests.isEmpty() && replies.isEmpty() && repeated.isEmpty();
    }

    private static Map<Integer, Double> shares(Settings settings, String key) {
        Map<String, Integer> known = new TreeMap<>(FaultPlan.TYPES);
        known.putAll(MORE_TYPES);
        Map<Integer, Double> shares = new TreeMap<>();
        for (String word : FaultPlan.words(settings, key)) {
            String[] parts = word.split(":", 2);
            shares.put(FaultPlan.typeOf(known, parts[0].strip()), share(key, word, parts));
        }
        return shares;
    }

    private static double share(String key, String word, String[] parts) {
        try {
            double share = parts.length < 2 ? -1 : Double.parseDouble(parts[1].strip());
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException _) {
            // reported below, with what is no share
        }
        throw new RpcConfigurationException(
                "%s holds '%s', which must have the form TYPE:SHARE with a share from 0 to 1, such as PYTHON_CALL:0.3"
                        .formatted(key, word));
    }
}
