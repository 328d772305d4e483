package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A snapshot of a training in the safetensors format.
 *
 * @param step number of steps done
 * @param numbers elements of the losses, of the parameters of the model and of the optimizer's
 *     state, by name
 */
record SnapshotContent(int step, Map<String, double[]> numbers) {

    static SnapshotContent read(Path file) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            byte[] header = new byte[(int) bytes.getLong()];
            bytes.get(header);
            JsonNode root = JsonMapper.shared().readTree(header);
            Map<String, double[]> numbers = new TreeMap<>();
            for (Map.Entry<String, JsonNode> tensor : root.properties()) {
                String type = tensor.getValue().path("dtype").asString("");
                if (tensor.getKey()
                        .matches(
                                "losses|embedding[.].*|head[.].*|optimizer0[.]state[.].*_buffer")) {
                    numbers.put(tensor.getKey(), elements(tensor.getValue(), type, bytes.slice()));
                }
            }
            return new SnapshotContent(root.at("/__metadata__/step").asInt(), numbers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double[] elements(JsonNode tensor, String type, ByteBuffer data) {
        data.order(ByteOrder.LITTLE_ENDIAN);
        int begin = tensor.path("data_offsets").get(0).asInt();
        int end = tensor.path("data_offsets").get(1).asInt();
        boolean isDouble = type.equals("F64");
        double[] elements = new double[(end - begin) / (isDouble ? Double.BYTES : Float.BYTES)];
        data.position(begin);
        for (int i = 0; i < elements.length; i++) {
            elements[i] = isDouble ? data.getDouble() : data.getFloat();
        }
        return elements;
    }

    /** Check that another snapshot is of the same step, and has the same bits. */
    void assertSame(SnapshotContent other) {
        assertEquals(step, other.step);
        assertEquals(11, numbers.size(), numbers.keySet().toString());
        assertEquals(numbers.keySet(), other.numbers.keySet());
        numbers.forEach(
                (name, expected) -> assertArrayEquals(expected, other.numbers.get(name), name));
    }
}
