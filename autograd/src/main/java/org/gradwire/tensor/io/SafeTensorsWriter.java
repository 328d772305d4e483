package org.gradwire.tensor.io;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Writes files. The header has the tensors in the order they were given; their bytes are ordered by
 * element size, the largest first, so that each tensor is aligned.
 */
final class SafeTensorsWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int ALIGNMENT = 8;
    private static final int CHUNK_BYTES = 1 << 20;

    private final List<Tensor> stored;
    private final byte[] header;

    private SafeTensorsWriter(List<Tensor> stored, byte[] header) {
        this.stored = stored;
        this.header = header;
    }

    static SafeTensorsWriter of(Map<String, Tensor> tensors, Map<String, String> metadata) {
        Map<String, Tensor> ordered = new LinkedHashMap<>(tensors);
        if (ordered.containsKey(Header.METADATA)) {
            throw new IllegalArgumentException(
                    "a tensor cannot be named '%s', which is the key of the metadata; rename it"
                            .formatted(Header.METADATA));
        }
        List<Map.Entry<String, Tensor>> laid =
                ordered.entrySet().stream()
                        .sorted(Comparator.comparingInt(e -> -e.getValue().dtype().bytes()))
                        .toList();
        Map<String, Long> begins = new HashMap<>();
        long at = 0;
        for (var entry : laid) {
            begins.put(entry.getKey(), at);
            at += bytes(entry.getValue());
        }
        byte[] json = json(ordered, begins, new TreeMap<>(metadata));
        return new SafeTensorsWriter(laid.stream().map(Map.Entry::getValue).toList(), padded(json));
    }

    private static long bytes(Tensor tensor) {
        return (long) tensor.numel() * tensor.dtype().bytes();
    }

    private static byte[] json(
            Map<String, Tensor> tensors, Map<String, Long> begins, Map<String, String> metadata) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            if (!metadata.isEmpty()) {
                json.writeObjectPropertyStart(Header.METADATA);
                metadata.forEach(
                        (key, text) -> json.writeStringProperty(checked(key), checked(text)));
                json.writeEndObject();
            }
            tensors.forEach((name, tensor) ->
                    writeEntry(json, name, tensor, requireNonNull(begins.get(name))));
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static String checked(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "a name of a tensor, or a text of the metadata, is not valid Unicode");
        }
        return text;
    }

    private static void writeEntry(JsonGenerator json, String name, Tensor tensor, long begin) {
        int[] shape = tensor.shape();
        json.writeObjectPropertyStart(checked(name));
        json.writeStringProperty("dtype", ElementFormat.of(tensor.dtype()).name());
        json.writeName("shape");
        json.writeArray(shape, 0, shape.length);
        json.writeName("data_offsets");
        json.writeArray(new long[] {begin, begin + bytes(tensor)}, 0, 2);
        json.writeEndObject();
    }

    private static byte[] padded(byte[] json) {
        int padded = (json.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (padded > Header.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "names and metadata have %d bytes, but readers accept %d; write several files"
                            .formatted(padded, Header.MAX_BYTES));
        }
        byte[] bytes = Arrays.copyOf(json, padded);
        Arrays.fill(bytes, json.length, padded, (byte) ' ');
        return bytes;
    }

    void write(Path file) throws IOException {
        Path complete = file.toAbsolutePath();
        Path partial =
                complete.resolveSibling(
                        "%s.%s.tmp".formatted(complete.getFileName(), UUID.randomUUID()));
        try {
            try (var channel =
                    FileChannel.open(
                            partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                writeTo(channel);
                channel.force(true);
            }
            Files.move(partial, complete, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /** {@return the length of the file} */
    long size() {
        return Long.BYTES
                + header.length
                + stored.stream().mapToLong(SafeTensorsWriter::bytes).sum();
    }

    void writeTo(WritableByteChannel channel) throws IOException {
        var length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        writeAll(channel, length.putLong(header.length).flip());
        writeAll(channel, ByteBuffer.wrap(header));
        var chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        for (Tensor tensor : stored) {
            writeElements(channel, tensor.detach().to(Device.CPU).contiguous(), chunk);
        }
    }

    private static void writeElements(WritableByteChannel channel, Tensor tensor, ByteBuffer chunk)
            throws IOException {
        long bytes = tensor.dtype().bytes();
        MemorySegment elements =
                TensorAccess.storage(tensor)
                        .segment()
                        .asSlice(tensor.storageOffset() * bytes, bytes(tensor));
        MemorySegment buffer = MemorySegment.ofBuffer(chunk.clear());
        ElementFormat format = ElementFormat.of(tensor.dtype());
        for (long at = 0; at < elements.byteSize(); at += CHUNK_BYTES) {
            long length = Math.min(CHUNK_BYTES, elements.byteSize() - at);
            format.write(elements.asSlice(at, length), buffer, length / bytes);
            writeAll(channel, chunk.clear().limit((int) length));
        }
    }

    private static void writeAll(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
