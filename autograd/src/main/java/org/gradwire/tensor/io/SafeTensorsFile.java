package org.gradwire.tensor.io;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.io.Header.Entry;
import org.gradwire.tensor.storage.Storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A file in the safetensors format, mapped into memory; see {@link SafeTensors#open(Path)}.
 *
 * <p>The file stays mapped as long as this or a tensor over it can be reached, and there is nothing
 * to close. Reading fails when the file is truncated or overwritten meanwhile; {@link
 * SafeTensors#save} replaces files instead, so that the mapping stays valid.
 *
 * <p>May be used by many threads.
 */
public final class SafeTensorsFile {
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final String file;
    private final Header header;
    private final MemorySegment data;
    private final long dataOffset;

    private SafeTensorsFile(String file, Header header, MemorySegment data, long dataOffset) {
        this.file = file;
        this.header = header;
        this.data = data;
        this.dataOffset = dataOffset;
    }

    static SafeTensorsFile open(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment all = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
            return over(file.toString(), all);
        }
    }

    static SafeTensorsFile over(String file, MemorySegment all) throws SafeTensorsException {
        long end = headerEnd(file, all);
        Header header = HeaderParser.parse(file, headerText(file, all, end));
        var opened = new SafeTensorsFile(file, header, all.asSlice(end), end);
        opened.checkLayout();
        return opened;
    }

    private static long headerEnd(String file, MemorySegment all) throws SafeTensorsException {
        if (all.byteSize() < Long.BYTES) {
            throw new SafeTensorsException(
                    file,
                    "it has %d bytes; expected at least 8, the length of the header"
                            .formatted(all.byteSize()));
        }
        long length = all.get(LENGTH, 0);
        if (length < 0 || length > Header.MAX_BYTES) {
            throw new SafeTensorsException(
                    file,
                    "its header has %s bytes; expected at most %d, so this is not a safetensors file"
                            .formatted(Long.toUnsignedString(length), Header.MAX_BYTES));
        }
        if (length > all.byteSize() - Long.BYTES) {
            throw new SafeTensorsException(
                    file,
                    "its header has %d bytes, but only %d follow; the file was cut off"
                            .formatted(length, all.byteSize() - Long.BYTES));
        }
        return Long.BYTES + length;
    }

    private static String headerText(String file, MemorySegment all, long end)
            throws SafeTensorsException {
        var bytes = all.asSlice(Long.BYTES, end - Long.BYTES).asByteBuffer();
        if (!bytes.hasRemaining() || bytes.get(0) != '{') {
            throw new SafeTensorsException(
                    file, "its header does not begin with '{', so this is not a safetensors file");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            var failure = new SafeTensorsException(file, "its header is not UTF-8");
            failure.initCause(e);
            throw failure;
        }
    }

    /** Check that the tensors follow one another without gaps up to the end of the file. */
    private void checkLayout() throws SafeTensorsException {
        List<Map.Entry<String, Entry>> ordered =
                header.entries().entrySet().stream()
                        .sorted(
                                Comparator.comparingLong((Map.Entry<String, Entry> e) ->
                                                e.getValue().begin())
                                        .thenComparingLong(e -> e.getValue().end()))
                        .toList();
        long at = 0;
        for (var named : ordered) {
            Entry entry = named.getValue();
            if (entry.begin() != at || entry.end() < at) {
                throw wrong(
                        named.getKey(),
                        "has data_offsets [%d, %d]; expected to begin at %d, where the tensor before it ends"
                                .formatted(entry.begin(), entry.end(), at));
            }
            checkSize(named.getKey(), entry);
            at = entry.end();
        }
        if (at != data.byteSize()) {
            throw new SafeTensorsException(
                    file,
                    "its tensors have %d bytes, but %d follow the header; the file was cut off, or something was added"
                            .formatted(at, data.byteSize()));
        }
    }

    private void checkSize(String name, Entry entry) throws SafeTensorsException {
        int bytes = format(name, entry).bytes();
        long length = entry.end() - entry.begin();
        String shape = Arrays.toString(entry.shape());
        long count = 1;
        boolean fits = true;
        for (long size : entry.shape()) {
            fits &= size <= Integer.MAX_VALUE;
            long known = count;
            count = size == 0 ? 0 : known > Long.MAX_VALUE / size ? Long.MAX_VALUE : known * size;
        }
        if (count != length / bytes || length % bytes != 0) {
            throw wrong(
                    name,
                    "has %d bytes; expected %d for each element of shape %s"
                            .formatted(length, bytes, shape));
        }
        if (!fits || count > Integer.MAX_VALUE) {
            throw wrong(
                    name,
                    "has shape %s; tensors of at most %d elements can be read"
                            .formatted(shape, Integer.MAX_VALUE));
        }
    }

    private ElementFormat format(String name, Entry entry) throws SafeTensorsException {
        var format = ElementFormat.named(entry.format());
        if (format.isEmpty()) {
            throw wrong(
                    name,
                    "has dtype %s; supported are %s"
                            .formatted(entry.format(), ElementFormat.names()));
        }
        return format.get();
    }

    private SafeTensorsException wrong(String name, String problem) {
        return new SafeTensorsException(file, "tensor '" + name + "' " + problem);
    }

    /** {@return the names of the tensors, in the order of the header} */
    public Set<String> names() {
        return header.entries().keySet();
    }

    /** {@return the metadata that the writing program added, unmodifiable} */
    public Map<String, String> metadata() {
        return header.metadata();
    }

    /** {@return the shape of a tensor; nothing of its elements is read} */
    public int[] shape(String name) {
        return Arrays.stream(entry(name).shape()).mapToInt(Math::toIntExact).toArray();
    }

    /** {@return the type of a tensor's elements} */
    public DType dtype(String name) {
        return known(name).dtype();
    }

    /** {@return the position of a tensor's first byte in the file} */
    public long offset(String name) {
        return dataOffset + entry(name).begin();
    }

    /**
     * Return a tensor over the mapped file: its elements are read when they are used. It cannot be
     * changed in place; {@link Tensor#copy} gives one that can. A tensor of half precision, or one
     * whose bytes are not aligned to their size, is a copy already.
     *
     * @throws IllegalArgumentException when the file has no tensor of this name
     */
    public Tensor tensor(String name) {
        MemorySegment stored = stored(name);
        ElementFormat format = known(name);
        int[] shape = shape(name);
        if (stored.byteSize() == 0 || !format.isReadable(stored)) {
            return copy(name);
        }
        Tensor flat =
                TensorAccess.view(
                        Storage.over(format.dtype(), stored),
                        0,
                        new int[] {Math.toIntExact(stored.byteSize() / format.bytes())},
                        new int[] {1});
        return flat.view(shape);
    }

    /** Return a tensor with its own memory. */
    Tensor copy(String name) {
        Tensor copy = Tensor.zeros(dtype(name), shape(name));
        known(name).read(stored(name), TensorAccess.storage(copy).segment(), copy.numel());
        return copy;
    }

    /** Return all tensors, each with its own memory. */
    Map<String, Tensor> copies() {
        Map<String, Tensor> all = new LinkedHashMap<>();
        names().forEach(name -> all.put(name, copy(name)));
        return all;
    }

    private MemorySegment stored(String name) {
        Entry entry = entry(name);
        return data.asSlice(entry.begin(), entry.end() - entry.begin());
    }

    private ElementFormat known(String name) {
        return ElementFormat.named(entry(name).format()).orElseThrow(); // checked when opened
    }

    private Entry entry(String name) {
        Entry entry = header.entries().get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    "%s has no tensor '%s'; it has %s".formatted(file, name, names()));
        }
        return entry;
    }
}
