package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A setting's values by message type: {@code TYPE:VALUE,*:VALUE}.
 *
 * @param named values of named types
 * @param others value of every other request, including the types of extensions: of {@code *}
 */
record ValuesByMessageType<V>(Map<Integer, V> named, Optional<V> others) {
    private static final String ALL = "*";

    /** The types that can be named: all requests except those of extensions. */
    private static final Map<String, Integer> TYPES =
            MessageTypes.requests().stream()
                    .collect(
                            Collectors.toMap(
                                    MessageTypes::name, type -> type, (a, _) -> a, TreeMap::new));

    ValuesByMessageType {
        named = Collections.unmodifiableMap(new TreeMap<>(named));
    }

    static <V> ValuesByMessageType<V> none() {
        return new ValuesByMessageType<>(Map.of(), Optional.empty());
    }

    static <V> ValuesByMessageType<V> of(Map<Integer, V> named) {
        return new ValuesByMessageType<>(named, Optional.empty());
    }

    /**
     * Parse the parts of a setting.
     *
     * @param read parses a value
     */
    static <V> ValuesByMessageType<V> parse(List<String> words, Function<String, V> read) {
        Map<Integer, V> named = new TreeMap<>();
        Optional<V> others = Optional.empty();
        for (String word : words) {
            String name = word.split(":", 2)[0].strip();
            if (name.equals(ALL)) {
                others = Optional.of(read.apply(word));
            } else {
                named.put(typeOf(name), read.apply(word));
            }
        }
        return new ValuesByMessageType<>(named, others);
    }

    private static int typeOf(String name) {
        Integer type = TYPES.get(name.replaceFirst("^PYTHON_", "UDF_")); // PyTorch's names
        if (type == null) {
            throw new RpcConfigurationException(
                    "there is no request type %s; known are %s".formatted(name, TYPES.keySet()));
        }
        return type;
    }

    Optional<V> find(int type) {
        V value = named.get(type);
        return value == null ? others : Optional.of(value);
    }

    boolean isEmpty() {
        return named.isEmpty() && others.isEmpty();
    }

    /** {@return the names of the types, sorted and separated by commas} */
    String names() {
        return Stream.concat(
                        named.keySet().stream().map(MessageTypes::name),
                        others.stream().map(_ -> ALL))
                .sorted()
                .collect(Collectors.joining(","));
    }

    /** {@return the text of the setting} */
    @Override
    public String toString() {
        return Stream.concat(
                        named.entrySet().stream()
                                .map(entry ->
                                        MessageTypes.name(entry.getKey()) + ":" + entry.getValue()),
                        others.stream().map(value -> ALL + ":" + value))
                .sorted()
                .collect(Collectors.joining(","));
    }
}
