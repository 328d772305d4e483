package org.gradwire.conformance.cases.rpc;

import org.gradwire.rpc.UdfCodec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Encodes coordinates, numbers and lists of them as text. It fails to encode the coordinates (13,
 * 13) and to decode (99, 99).
 *
 * @param name name under which it is registered
 */
public record TextCodec(String name) implements UdfCodec {
    private static final int UNWRITABLE = 13;
    private static final int UNREADABLE = 99;

    @Override
    public byte[] encode(Object value) {
        return (name + "=" + text(value)).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object value) {
        return switch (value) {
            case Coordinates c when c.x() == UNWRITABLE ->
                    throw new IllegalStateException("unlucky " + c);
            case Coordinates c -> c.x() + "," + c.y();
            case Integer i -> i.toString();
            case List<?> list ->
                    list.stream().map(TextCodec::text).collect(Collectors.joining(";"));
            default -> throw new IllegalStateException("no text for it");
        };
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (!text.startsWith(name + "=")) {
            throw new IllegalStateException("not by " + name + ": " + text);
        }
        return value(text.substring(name.length() + 1), type);
    }

    private static Object value(String text, Type type) {
        if (type instanceof ParameterizedType list) {
            List<Object> all = new ArrayList<>();
            for (String element : text.split(";", -1)) {
                all.add(value(element, list.getActualTypeArguments()[0]));
            }
            return all;
        }
        if (type != Coordinates.class) {
            return Integer.parseInt(text);
        }
        String[] numbers = text.split(",", -1);
        int x = Integer.parseInt(numbers[0]);
        if (x == UNREADABLE) {
            throw new IllegalStateException("unreadable " + text);
        }
        return new Coordinates(x, Integer.parseInt(numbers[1]));
    }
}
