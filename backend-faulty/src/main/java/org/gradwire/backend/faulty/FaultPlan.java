package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Settings;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which faults are injected. The same plan does the same to the same sends, in the same order. Its
 * text is the settings it is read from, one a line.
 *
 * @param numFailSends how many sends of the same payload fail before one succeeds
 * @param toFail types of messages that fail
 * @param toDelay types of messages that are late, and by how much
 * @param shares how many messages of a type have a fault, from 0 to 1
 * @param cuts between whom nothing passes, and when
 * @param seed from which everything is drawn
 */
record FaultPlan(
        int numFailSends,
        Set<Integer> toFail,
        Map<Integer, Delay> toDelay,
        Map<Fault, Map<Integer, Double>> shares,
        List<Cut> cuts,
        int seed) {
    private static final String ALL = "*";

    /** The types that the specification names. */
    private static final Map<String, Integer> TYPES =
            named(
                    MessageTypes.RREF_FORK_REQUEST,
                    MessageTypes.RREF_CHILD_ACCEPT,
                    MessageTypes.RREF_USER_DELETE,
                    MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                    MessageTypes.PYTHON_CALL,
                    MessageTypes.SCRIPT_CALL,
                    MessageTypes.PYTHON_REMOTE_CALL,
                    MessageTypes.SCRIPT_REMOTE_CALL,
                    MessageTypes.PYTHON_RREF_FETCH_CALL,
                    MessageTypes.SCRIPT_RREF_FETCH_CALL);

    /** And those that the other faults may have. */
    private static final Map<String, Integer> MORE_TYPES =
            named(
                    MessageTypes.FORWARD_AUTOGRAD_REQ,
                    MessageTypes.BACKWARD_AUTOGRAD_REQ,
                    MessageTypes.RUN_WITH_PROFILING_REQ,
                    MessageTypes.CANCEL_REQ,
                    MessageTypes.CALLS_ENDED_REQ,
                    MessageTypes.DISCOVER_AUTOGRAD_REQ);

    static {
        MORE_TYPES.putAll(TYPES);
    }

    FaultPlan {
        toFail = Collections.unmodifiableSet(new TreeSet<>(toFail));
        toDelay = Collections.unmodifiableMap(new TreeMap<>(toDelay));
        shares = Collections.unmodifiableMap(new TreeMap<>(shares));
        cuts = List.copyOf(cuts);
    }

    private static Map<String, Integer> named(int... types) {
        return Arrays.stream(types)
                .boxed()
                .collect(
                        Collectors.toMap(
                                MessageTypes::name, type -> type, (a, _) -> a, TreeMap::new));
    }

    static FaultPlan of(Settings settings) {
        Set<Integer> toFail = new TreeSet<>();
        words(settings, FaultyBackend.MESSAGES_TO_FAIL)
                .forEach(name -> toFail.add(typeOf(TYPES, name)));
        Map<Fault, Map<Integer, Double>> shares = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            shares.put(fault, readTypes(settings, fault.key(), MORE_TYPES, FaultPlan::share));
        }
        return new FaultPlan(
                settings.integer(FaultyBackend.NUM_FAIL_SENDS, 0, Integer.MAX_VALUE),
                toFail,
                readTypes(
                        settings,
                        FaultyBackend.MESSAGES_TO_DELAY,
                        TYPES,
                        (key, word) -> Delay.parse(settings, key, word)),
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

    /** Read what stands after each type; {@code *} means each that is not named itself. */
    private static <V> Map<Integer, V> readTypes(
            Settings settings,
            String key,
            Map<String, Integer> known,
            BiFunction<String, String, V> read) {
        Map<Integer, V> values = new TreeMap<>();
        Map<Integer, V> others = new TreeMap<>();
        for (String word : words(settings, key)) {
            String name = word.split(":", 2)[0].strip();
            if (name.equals(ALL)) {
                V value = read.apply(key, word);
                known.values().forEach(type -> others.put(type, value));
            } else {
                values.put(typeOf(known, name), read.apply(key, word));
            }
        }
        others.putAll(values);
        return Collections.unmodifiableMap(others);
    }

    private static int typeOf(Map<String, Integer> known, String name) {
        Integer type = known.get(name);
        if (type == null) {
            throw new RpcConfigurationException(
                    "No mapping to rpc::MessageType exists for %s; known are %s"
                            .formatted(name, known.keySet()));
        }
        return type;
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
        return shares.getOrDefault(fault, Map.of()).getOrDefault(type, 0.0);
    }

    /** {@return whether none of some faults can happen} */
    boolean isWithout(Fault... faults) {
        return Arrays.stream(faults)
                .allMatch(fault -> shares.getOrDefault(fault, Map.of()).isEmpty());
    }

    /** {@return what a part of a worker's agent draws from: each part draws differently} */
    Random random(int worker, Object part) {
        long perWorker = ((long) seed << Short.SIZE) + worker;
        return new Random(perWorker ^ ((long) part.getClass().getSimpleName().hashCode() << 32));
    }

    /** {@return the names of types, sorted} */
    static List<String> names(Set<Integer> types) {
        return types.stream().map(MessageTypes::name).sorted().toList();
    }

    private static <V> String text(Map<Integer, V> values) {
        boolean isSame =
                values.size() == MORE_TYPES.size() && Set.copyOf(values.values()).size() == 1;
        Function<Map.Entry<Integer, V>, String> entryText =
                entry -> MessageTypes.name(entry.getKey()) + ":" + entry.getValue();
        return isSame
                ? ALL + ":" + values.values().iterator().next()
                : values.entrySet().stream()
                        .map(entryText)
                        .sorted()
                        .collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        Map<String, String> lines = new TreeMap<>();
        lines.put(FaultyBackend.NUM_FAIL_SENDS, Integer.toString(numFailSends));
        lines.put(FaultyBackend.MESSAGES_TO_FAIL, String.join(",", names(toFail)));
        lines.put(FaultyBackend.MESSAGES_TO_DELAY, text(toDelay));
        shares.forEach((fault, types) -> lines.put(fault.key(), text(types)));
        lines.put(
                FaultyBackend.CUTS,
                cuts.stream().map(Cut::toString).collect(Collectors.joining(",")));
        lines.put(FaultyBackend.SEED, Integer.toString(seed));
        return lines.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue())
                .collect(Collectors.joining("\n"));
    }
}
