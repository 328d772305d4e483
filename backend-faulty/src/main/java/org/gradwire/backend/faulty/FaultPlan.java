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
 * The faults to inject. The plan is deterministic: the same sends in the same order have the same
 * faults. Its text is its settings, one per line.
 *
 * @param numFailSends number of sends of the same payload that fail before one succeeds
 * @param toFail types of requests that fail
 * @param toDelay types of requests that are delayed, with their delays
 * @param shares share of the messages of a type with each fault, from 0 to 1
 * @param networkPartitions pairs of workers without a connection, with times
 * @param seed seed of all random choices
 */
record FaultPlan(
        int numFailSends,
        ValuesByMessageType<Boolean> toFail,
        ValuesByMessageType<Delay> toDelay,
        Map<Fault, ValuesByMessageType<Double>> shares,
        List<NetworkPartition> networkPartitions,
        int seed) {
    FaultPlan {
        shares = Collections.unmodifiableMap(new TreeMap<>(shares));
        networkPartitions = List.copyOf(networkPartitions);
    }

    static FaultPlan of(Settings settings) {
        Map<Fault, ValuesByMessageType<Double>> shares = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            shares.put(
                    fault,
                    ValuesByMessageType.parse(
                            words(settings, fault.key()), word -> share(fault.key(), word)));
        }
        return new FaultPlan(
                settings.integer(FaultyBackend.NUM_FAIL_SENDS, 0, Integer.MAX_VALUE),
                ValuesByMessageType.parse(
                        words(settings, FaultyBackend.MESSAGES_TO_FAIL), _ -> true),
                ValuesByMessageType.parse(
                        words(settings, FaultyBackend.MESSAGES_TO_DELAY),
                        word -> Delay.parse(settings, FaultyBackend.MESSAGES_TO_DELAY, word)),
                shares,
                words(settings, FaultyBackend.CUTS).stream()
                        .map(word -> NetworkPartition.parse(settings, FaultyBackend.CUTS, word))
                        .toList(),
                settings.integer(FaultyBackend.SEED, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    /** {@return the comma-separated parts of a setting} */
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
            // reported below, like values outside 0 to 1
        }
        throw new RpcConfigurationException(
                "%s holds '%s', which must have the form TYPE:SHARE with a share from 0 to 1, such as UDF_CALL:0.3"
                        .formatted(key, word));
    }

    /** {@return the share of the messages of a type with a fault} */
    double share(Fault fault, int type) {
        return shares.getOrDefault(fault, ValuesByMessageType.<Double>none())
                .find(type)
                .orElse(0.0);
    }

    /** {@return whether the plan has none of some faults} */
    boolean isWithout(Fault... faults) {
        return Arrays.stream(faults)
                .allMatch(
                        fault -> shares.getOrDefault(fault, ValuesByMessageType.none()).isEmpty());
    }

    /** {@return the random source of a part of a worker's agent, different for each part} */
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
                networkPartitions.stream()
                        .map(NetworkPartition::toString)
                        .collect(Collectors.joining(",")));
        lines.put(FaultyBackend.SEED, Integer.toString(seed));
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue())
                .collect(Collectors.joining("\n"));
    }
}
