package org.gradwire.tensor;

import org.gradwire.spi.DefaultParser;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads tensors in the defaults of remote functions: {@code 3}, {@code [3, 3]}, {@code [[1.5, 2],
 * [3, 4]]}. They are int64 when all numbers are whole and written without a point, else float32.
 */
public final class TensorDefaultParser implements DefaultParser {

    /** For {@link java.util.ServiceLoader}. */
    public TensorDefaultParser() {}

    @Override
    public Class<?> type() {
        return Tensor.class;
    }

    @Override
    public Tensor parse(String text) {
        var reader = new Reader(text);
        reader.value(0);
        return reader.result();
    }

    /** Reads one text from left to right. */
    private static final class Reader {
        private final String text;
        private int position;
        private final List<String> numbers = new ArrayList<>();
        private final List<Integer> shape = new ArrayList<>();
        private int depth = -1;

        Reader(String text) {
            this.text = text;
        }

        void value(int level) {
            skipSpace();
            if (peek() == '[') {
                list(level);
            } else {
                if (depth < 0) {
                    depth = level;
                }
                if (depth != level) {
                    throw wrong("numbers at different depths");
                }
                numbers.add(number());
            }
            skipSpace();
        }

        private void list(int level) {
            position++;
            int length = 0;
            skipSpace();
            while (peek() != ']') {
                if (length > 0 && text.charAt(position++) != ',') {
                    throw wrong("no comma at " + (position - 1));
                }
                value(level + 1);
                length++;
            }
            position++;
            while (shape.size() <= level) {
                shape.add(-1);
            }
            if (shape.get(level) >= 0 && shape.get(level) != length) {
                throw wrong("lists of different lengths");
            }
            shape.set(level, length);
        }

        private String number() {
            int start = position;
            while (position < text.length() && ",[] ".indexOf(text.charAt(position)) < 0) {
                position++;
            }
            return text.substring(start, position);
        }

        private char peek() {
            if (position >= text.length()) {
                throw wrong("it ends too early");
            }
            return text.charAt(position);
        }

        private void skipSpace() {
            while (position < text.length() && text.charAt(position) == ' ') {
                position++;
            }
        }

        Tensor result() {
            if (position != text.length()) {
                throw wrong("something follows at " + position);
            }
            int[] dims = shape.stream().mapToInt(Integer::intValue).toArray();
            try {
                boolean whole = numbers.stream().allMatch(number -> number.matches("[+-]?\\d+"));
                if (whole && !numbers.isEmpty()) {
                    return Tensor.of(numbers.stream().mapToLong(Long::parseLong).toArray(), dims);
                }
                float[] values = new float[numbers.size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = Float.parseFloat(numbers.get(i));
                }
                return Tensor.of(values, dims);
            } catch (NumberFormatException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
        }

        private IllegalArgumentException wrong(String why) {
            return new IllegalArgumentException(
                    "'%s' is not a tensor (%s); write a number, or lists of numbers such as [[1.5, 2], [3, 4]]"
                            .formatted(text, why));
        }
    }
}
