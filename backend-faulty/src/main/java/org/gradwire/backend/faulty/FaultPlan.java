package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which faults are injected. The same plan does the same to the same sends, in the same order. Its
 * text is the settings it is read from, one a line.
 *
 * @param numFailSends how many sends of the same payload fail before one succeeds
 * @param toFail types of requests that fail
 * @param toDelay types of requests that are late, and by how much
 * @param shares how many messages of a type have a fault, from 0 to 1
 * @param cuts between whom nothing passes, and when
 * @param seed from which everything is drawn
 */
record FaultPlan(
        int numFailSends,
        ByType<Boolean> toFail,
        ByType<Delay> toDelay,
        Map<Fault, ByType<Double>> shares,
        List<Cut> cuts,
        int seed) {
    FaultPlan {
        shares = Collections.unmodifiableMap(new TreeMap<>(shares));
        cuts = List.copyOf(cuts);
    }

    static FaultPlan of(Settings settings) {
        Map<Fault, ByType<Double>> shares = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            shares.put(
                    fault,
                    ByType.parse(words(settings, fault.key()), word -> share(fault.key(), word)));
        }
        return new FaultPlan(
                settings.integer(FaultyBackend.NUM_FAIL_SENDS, 0, Integer.MAX_VALUE),
                ByType.parse(words(settings, FaultyBackend.MESSAGES_TO_FAIL), _ -> true),
                ByType.parse(
                        words(settings, FaultyBackend.MESSAGES_TO_DELAY),
                        word -> Delay.parse(settings, FaultyBackend.MESSAGES_TO_DELAY, word)),
                shares,
                words(settings, FaultyBackend.CUTS).stream()
                        .map(word -> Cut.parse(settings, FaultyBackend.CUTS, word))
                        .toList(),
                settings.integer(FaultyBackend.SEED, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    /** {@return the parts of a setting, which are separated by commas} */
    private static List<String> words(Settings settings, String key) {
        return settings.find(key).stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static double share(String key, String word) {
        String[] parts = word.split(":", 2);
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

    /** {@return what share of the messages of a type has a fault} */
    double share(Fault fault, int type) {
        return shares.getOrDefault(fault, ByType.<Double>none()).find(type).orElse(0.0);
    }

    /** {@return whether none of some faults can happen} */
    boolean isWithout(Fault... faults) {
        return Arrays.stream(faults)
                .allMatch(fault -> shares.getOrDefault(fault, ByType.none()).isEmpty());
    }

    /** {@return what a part of a worker's agent draws from: each part draws differently} */
    Random random(int worker, Object part) {
        long perWorker = ((long) seed << Short.SIZE) + worker;
        return new Random(perWorker ^ ((long) part.getClass().getSimpleName().hashCode() << 32));
    }

    @Override
    public String toString() {
        Map<String, String> lines = new TreeMap<>();
        lines.put(FaultyBackend.NUM_FAIL_SENDS, Integer.toString(numFailSends));
        lines.put(FaultyBackend.MESSAGES_TO_FAIL, toFail.names());
        lines.put(FaultyBackend.MESSAGES_TO_DELAY, toDelay.toString());
        shares.forEach((fault, types) -> lines.put(fault.key(), types.toString()));
        lines.put(
                FaultyBackend.CUTS,
                cuts.stream().map(Cut::toString).collect(Collectors.joining(",")));
        lines.put(FaultyBackend.SEED, Integer.toString(seed));
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue())
                .collect(Collectors.joining("\n"));
    }
}
