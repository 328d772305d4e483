package org.gradwire.tensor.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Tensors that are written and read, and a file that the format's Python library wrote. */
class SafeTensorsTest {
    private static final String STRANGE = "nam\u00e9 \"\\\n\ud83d\ude00";

    @TempDir private Path folder;

    private Path file() {
        return folder.resolve("tensors.safetensors");
    }

    /** Copy a file that generate_safetensors.py wrote to where it can be mapped. */
    private Path recorded(String name) throws IOException {
        try (var in = requireNonNull(getClass().getResourceAsStream("/" + name))) {
            Files.write(file(), in.readAllBytes());
        }
        return file();
    }

    private static Tensor get(Map<String, Tensor> tensors, String name) {
        return requireNonNull(tensors.get(name), name);
    }

    @Test
    void fileOfThePythonLibraryIsRead() throws IOException {
        var tensors = SafeTensors.load(recorded("python.safetensors"));
        Tensor weight = get(tensors, "0.weight");
        assertEquals(DType.FLOAT32, weight.dtype());
        assertArrayEquals(new int[] {2, 3}, weight.shape());
        assertArrayEquals(new float[] {0, 0.25f, 0.5f, 0.75f, 1, 1.25f}, weight.toFloatArray());
        assertArrayEquals(new float[] {-1.5f, 3e38f}, get(tensors, "0.bias").toFloatArray());
        Tensor scalar = get(tensors, "scalar");
        assertEquals(DType.FLOAT64, scalar.dtype());
        assertEquals(0, scalar.dim());
        assertEquals(0.1, scalar.item());
        Tensor count = get(tensors, "count");
        assertEquals(DType.INT64, count.dtype());
        assertArrayEquals(new int[] {1, 2}, count.shape());
        assertArrayEquals(new long[] {-1, 1L << 62}, count.toLongArray());
        assertArrayEquals(new int[] {0, 3}, get(tensors, "nothing").shape());
        assertEquals(7, get(tensors, STRANGE).item());
        assertEquals(8, tensors.size());
        assertEquals(
                Map.of("format", "pt", "quote", "\"\\\t\u20ac"),
                SafeTensors.open(file()).metadata());
    }

    @Test
    void halfPrecisionIsReadAsItIs() throws IOException {
        var opened = SafeTensors.open(recorded("python.safetensors"));
        assertEquals(DType.FLOAT16, opened.dtype("half"));
        assertEquals(DType.BFLOAT16, opened.dtype("brain"));
        assertEquals(DType.BFLOAT16, opened.tensor("brain").dtype());
        assertArrayEquals(
                new float[] {
                    0,
                    -0f,
                    1,
                    -2.5f,
                    65504,
                    5.9604645e-8f,
                    Float.POSITIVE_INFINITY,
                    Float.NEGATIVE_INFINITY
                },
                opened.tensor("half").toFloatArray());
        assertArrayEquals(
                new float[] {
                    0,
                    -0f,
                    1,
                    -2.5f,
                    65536,
                    6.0070306e-8f,
                    Float.POSITIVE_INFINITY,
                    Float.NEGATIVE_INFINITY
                },
                opened.tensor("brain").toFloatArray());
    }

    @Test
    void unsupportedElementTypeIsNamed() throws IOException {
        Path file = recorded("unsupported.safetensors");
        var e = assertThrows(SafeTensorsException.class, () -> SafeTensors.open(file));
        String message = String.valueOf(e.getMessage());
        assertTrue(
                message.startsWith(file + ": tensor 'bytes' has dtype U8; supported are BF16, "),
                message);
        for (String name : List.of("F16", "F32", "F64", "I64")) {
            assertTrue(message.contains(name), message);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyElementTypeComesBack(DType dtype) throws IOException {
        Tensor tensor = Tensor.of(new long[] {0, 1, 1, 0, 1, 0}, 2, 3).to(dtype);
        SafeTensors.save(file(), Map.of("t", tensor));
        for (Tensor back :
                List.of(get(SafeTensors.load(file()), "t"), SafeTensors.open(file()).tensor("t"))) {
            assertEquals(dtype, back.dtype());
            assertArrayEquals(new int[] {2, 3}, back.shape());
            assertArrayEquals(tensor.toDoubleArray(), back.toDoubleArray());
        }
    }

    @Test
    void orderMetadataAndNamesComeBack() throws IOException {
        var tensors = new LinkedHashMap<String, Tensor>();
        tensors.put("z", Tensor.of(1f, 2f));
        tensors.put(STRANGE, Tensor.of(3.0));
        tensors.put("", Tensor.zeros(0, 2));
        tensors.put("a", Tensor.of(4L));
        var metadata = Map.of("b", "\u0001\n\"\\", "a", "");
        SafeTensors.save(file(), tensors, metadata);
        var opened = SafeTensors.open(file());
        assertEquals(List.copyOf(tensors.keySet()), List.copyOf(opened.names()));
        assertEquals(metadata, opened.metadata());
        var loaded = SafeTensors.load(file());
        assertEquals(List.copyOf(tensors.keySet()), List.copyOf(loaded.keySet()));
        tensors.forEach((name, tensor) -> {
            assertTrue(tensor.equal(get(loaded, name)), name);
            assertArrayEquals(tensor.shape(), opened.shape(name));
            assertEquals(tensor.dtype(), opened.dtype(name));
        });
    }

    /**
     * One float64 and one float32 element: the larger one comes first, so that both are aligned.
     */
    @Test
    void bytesAreThoseOfTheFormat() throws IOException {
        var tensors = new LinkedHashMap<String, Tensor>();
        tensors.put("f", Tensor.of(1f));
        tensors.put("d", Tensor.of(2.0));
        SafeTensors.save(file(), tensors, Map.of("k", "v"));
        String header =
                "{\"__metadata__\":{\"k\":\"v\"},\"f\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
                        + "\"d\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
        int padded = (header.length() + 7) / 8 * 8;
        var expected = ByteBuffer.allocate(8 + padded + 12).order(ByteOrder.LITTLE_ENDIAN);
        expected.putLong(padded);
        expected.put(
                (header + " ".repeat(padded - header.length()))
                        .getBytes(StandardCharsets.US_ASCII));
        expected.putDouble(2).putFloat(1);
        assertArrayEquals(expected.array(), Files.readAllBytes(file()));
    }

    @Test
    void bytesOfHalfPrecisionAreThoseOfTheFormat() throws IOException {
        var tensors = new LinkedHashMap<String, Tensor>();
        tensors.put("h", Tensor.of(1.5f, -2f).to(DType.FLOAT16));
        tensors.put("b", Tensor.of(1.5f, -2f).to(DType.BFLOAT16));
        SafeTensors.save(file(), tensors);
        byte[] all = Files.readAllBytes(file());
        int header = (int) ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getLong();
        String text = new String(all, 8, header, StandardCharsets.US_ASCII).strip();
        assertEquals(
                "{\"h\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]},"
                        + "\"b\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[4,8]}}",
                text);
        byte[] elements = Arrays.copyOfRange(all, 8 + header, all.length);
        assertArrayEquals(
                new byte[] {0, 0x3e, 0, (byte) 0xc0, (byte) 0xc0, 0x3f, 0, (byte) 0xc0}, elements);
        assertTrue(get(tensors, "b").equal(get(SafeTensors.load(file()), "b")));
    }

    /** As NumPy reads them: every byte but 0 is true. */
    @Test
    void otherBytesOfBoolAreReadAsTrue() throws IOException {
        SafeTensors.save(file(), Map.of("b", Tensor.of(true, false, true)));
        byte[] bytes = Files.readAllBytes(file());
        bytes[bytes.length - 3] = 2;
        bytes[bytes.length - 1] = (byte) 0x80;
        Files.write(file(), bytes);
        for (Tensor read : List.of(get(SafeTensors.load(file()), "b"), mapped("b"))) {
            assertArrayEquals(new boolean[] {true, false, true}, read.toBooleanArray());
            assertEquals(2, read.sum().item());
            assertTrue(read.equal(Tensor.of(true, false, true)));
        }
    }

    private Tensor mapped(String name) throws IOException {
        return SafeTensors.open(file()).tensor(name);
    }

    @Test
    void channelsGetTheBytesOfFilesAndMemoryIsReadLikeOne() throws IOException {
        var tensors = new LinkedHashMap<String, Tensor>();
        tensors.put("a", Tensor.of(1L, 2L));
        tensors.put("b", Tensor.of(3f, 4f, 5f));
        SafeTensors.save(file(), tensors);
        byte[] expected = Files.readAllBytes(file());
        var written = new ByteArrayOutputStream();
        SafeTensors.write(Channels.newChannel(written), tensors);
        assertArrayEquals(expected, written.toByteArray());
        assertEquals(expected.length, SafeTensors.size(tensors));
        SafeTensorsFile opened = SafeTensors.open("memory", MemorySegment.ofArray(expected));
        assertTrue(get(tensors, "b").equal(opened.tensor("b")));
        assertEquals(expected.length - 12, opened.offset("b"));
        var cut = MemorySegment.ofArray(Arrays.copyOf(expected, expected.length - 1));
        var e = assertThrows(SafeTensorsException.class, () -> SafeTensors.open("memory", cut));
        assertTrue(
                String.valueOf(e.getMessage())
                        .startsWith("memory: its tensors have 28 bytes, but 27"));
    }

    @Test
    void viewsAreWrittenAsTheElementsTheyShow() throws IOException {
        Tensor matrix = Tensor.of(new float[][] {{1, 2, 3}, {4, 5, 6}}).requiresGrad(true);
        SafeTensors.save(file(), Map.of("t", matrix.t(), "row", matrix.select(0, 1), "m", matrix));
        var loaded = SafeTensors.load(file());
        assertArrayEquals(new float[] {1, 4, 2, 5, 3, 6}, get(loaded, "t").toFloatArray());
        assertArrayEquals(new float[] {4, 5, 6}, get(loaded, "row").toFloatArray());
        assertFalse(get(loaded, "m").requiresGrad());
    }

    @Test
    void largeTensorsComeBackWrittenInChunks() throws IOException {
        Tensor large = Tensor.randn(new SplittableRandom(5), 700, 801);
        Tensor whole = Tensor.arange(0, 3_000_000, 7);
        SafeTensors.save(file(), Map.of("large", large, "whole", whole));
        var loaded = SafeTensors.load(file());
        assertTrue(large.equal(get(loaded, "large")));
        assertTrue(whole.equal(get(loaded, "whole")));
        assertTrue(large.equal(SafeTensors.open(file()).tensor("large")));
    }

    @Test
    void mappedTensorsAreUsedInOperatorsAndCannotBeChanged() throws IOException {
        Tensor matrix = Tensor.randn(new SplittableRandom(6), 300, 300);
        SafeTensors.save(file(), Map.of("m", matrix));
        Tensor mapped = SafeTensors.open(file()).tensor("m");
        assertTrue(TensorAccess.storage(mapped).segment().isReadOnly());
        assertTrue(matrix.matmul(matrix).equal(mapped.matmul(mapped)));
        assertTrue(matrix.add(1).mul(matrix).equal(mapped.add(1).mul(mapped)));
        byte[] before = Files.readAllBytes(file());
        try (var _ = GradMode.noGrad()) {
            assertThrows(RuntimeException.class, () -> mapped.add_(Tensor.ones(300, 300)));
            assertThrows(RuntimeException.class, mapped::zero_);
            assertEquals(0, mapped.copy().zero_().sum().item());
        }
        assertTrue(matrix.equal(mapped));
        assertArrayEquals(before, Files.readAllBytes(file()));
    }

    @Test
    void mappingKeepsWhatItHadWhenTheFileIsSavedAnew() throws IOException {
        SafeTensors.save(file(), Map.of("t", Tensor.of(1f, 2f)));
        Tensor mapped = SafeTensors.open(file()).tensor("t");
        SafeTensors.save(file(), Map.of("t", Tensor.of(3f, 4f)));
        assertArrayEquals(new float[] {1, 2}, mapped.toFloatArray());
        assertArrayEquals(new float[] {3, 4}, get(SafeTensors.load(file()), "t").toFloatArray());
        assertOnlyFileLeft();
    }

    @Test
    void nothingIsLeftWhereTheFileCannotBe() throws IOException {
        Path taken = Files.createDirectories(folder.resolve("taken").resolve("inside")).getParent();
        assertThrows(
                IOException.class,
                () -> SafeTensors.save(requireNonNull(taken), Map.of("t", Tensor.ones(1))));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(requireNonNull(taken)), left.toList());
        }
    }

    private void assertOnlyFileLeft() throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(file()), left.toList());
        }
    }

    @Test
    void sameTensorsGiveTheSameBytes() throws IOException {
        var tensors = Map.of("t", Tensor.of(1f, 2f));
        SafeTensors.save(file(), tensors, Map.of("a", "1", "b", "2", "c", "3"));
        byte[] first = Files.readAllBytes(file());
        SafeTensors.save(file(), tensors, Map.of("c", "3", "b", "2", "a", "1"));
        assertArrayEquals(first, Files.readAllBytes(file()));
    }

    @Test
    void nameOfTheMetadataIsNoTensorsName() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> SafeTensors.save(file(), Map.of("__metadata__", Tensor.ones(1))));
        assertEquals(
                "a tensor cannot be named '__metadata__', which is the key of the metadata; rename it",
                e.getMessage());
    }

    @Test
    void halfACharacterIsNoName() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> SafeTensors.save(file(), Map.of("\ud83d", Tensor.ones(1))));
        assertEquals(
                "a name of a tensor, or a text of the metadata, is not valid Unicode",
                e.getMessage());
    }

    @Test
    void unknownNameIsAnErrorThatSaysWhichThereAre() throws IOException {
        SafeTensors.save(file(), Map.of("t", Tensor.ones(1)));
        var opened = SafeTensors.open(file());
        var e = assertThrows(IllegalArgumentException.class, () -> opened.tensor("u"));
        assertEquals(file() + " has no tensor 'u'; it has [t]", e.getMessage());
    }

    @Test
    void missingFileIsTheFileSystemsError() {
        assertThrows(NoSuchFileException.class, () -> SafeTensors.load(file()));
    }
}
