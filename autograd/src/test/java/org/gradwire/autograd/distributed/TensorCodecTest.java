package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** The wire format of tensors of each type, and the refusal of malformed ones. */
class TensorCodecTest {
    private final TensorCodec codec = new TensorCodec((device, _) -> device, DeviceCopies.NONE);
    private long charged; // bytes charged by reads

    /** {@return the encoding of a tensor: numbers and flags, then the buffer} */
    private Deque<Object> written(Tensor tensor) {
        return written(codec, tensor);
    }

    private static Deque<Object> written(TensorCodec codec, Tensor tensor) {
        Deque<Object> parts = new ArrayDeque<>();
        codec.encode(
                tensor,
                proxy(
                        Output.class,
                        (name, args) -> {
                            if (name.startsWith("write")) {
                                parts.add(args[0]);
                            }
                            return null;
                        }));
        return parts;
    }

    private Tensor read(List<Object> parts) {
        Deque<Object> left = new ArrayDeque<>(parts);
        return codec.decode(
                proxy(
                        Input.class,
                        (name, args) -> {
                            if (name.equals("charge")) {
                                charged += (long) args[0];
                            }
                            return name.startsWith("read") ? left.remove() : null;
                        }));
    }

    private interface Call {
        @Nullable Object apply(String name, Object[] args);
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, args) -> call.apply(method.getName(), args)));
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT32, 1, FLOAT",
        "FLOAT64, 2, DOUBLE",
        "INT64, 3, LONG",
        "INT32, 4, INT",
        "BOOL, 5, BYTE",
        "FLOAT16, 6, SHORT",
        "BFLOAT16, 7, SHORT"
    })
    void typesHaveTheNumbersOfTheProtocol(DType dtype, int code, ElementKind kind) {
        Deque<Object> parts = written(Tensor.ones(dtype, 3, 11));
        MemorySegment buffer = (MemorySegment) parts.removeLast();
        assertEquals(List.of(code, false, 2, 3, 11, true), List.copyOf(parts));
        assertEquals(kind, ElementKind.of(buffer));
        assertEquals(kind, dtype.kind());
        assertEquals(33L * dtype.bytes(), buffer.byteSize());
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void fewElementsStandInThePayload(DType dtype) {
        Deque<Object> buffered = written(Tensor.ones(dtype, 33));
        Deque<Object> parts = written(Tensor.ones(dtype, 32));
        assertEquals((int) buffered.getFirst() + 1024, parts.removeFirst());
        assertEquals(List.of(false, 1, 32, true, 32), List.copyOf(parts).subList(0, 5));
        Object one =
                switch (dtype) {
                    case FLOAT32 -> 1f;
                    case FLOAT64 -> 1d;
                    case INT64 -> 1L;
                    case INT32 -> 1;
                    case BOOL -> true;
                    case FLOAT16 -> 0x3c00;
                    case BFLOAT16 -> 0x3f80;
                };
        assertEquals(Collections.nCopies(32, one), List.copyOf(parts).subList(5, parts.size()));
    }

    /** The strides do not matter; an empty view keeps those of its base. */
    @Test
    void emptyTensorsArriveEmpty() {
        Tensor part = Tensor.ones(3, 40, 2).permute(2, 0, 1).narrow(2, 0, 4);
        for (Tensor sent : List.of(Tensor.ones(0, 3), part.narrow(1, 0, 0), part.narrow(0, 1, 0))) {
            Tensor arrived = read(List.copyOf(written(sent)));
            assertArrayEquals(sent.shape(), arrived.shape());
            assertEquals(0, TensorAccess.storage(arrived).length());
        }
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void tensorsArriveAsTheyWere(DType dtype) {
        Tensor whole = Tensor.of(-2, 0, 1, 5, 0, 7).to(dtype).reshape(2, 3);
        for (Tensor sent : List.of(whole, whole.t(), whole.narrow(1, 1, 2), whole.select(0, 0))) {
            Tensor got = read(List.copyOf(written(sent)));
            assertTrue(got.equal(sent));
            assertEquals(dtype, got.dtype());
            assertArrayEquals(sent.shape(), got.shape());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "    |",
                "4   | 1",
                "2 2 | 2 1",
                "3 63 | 63 1",
                "3 64 | 64 1",
                "5 0 | 1 1",
                "0 5 | 5 1",
                "2 3 4 | 12 4 1"
            })
    void rowFollowsRowInWhatIsRead(@Nullable String shape, @Nullable String strides) {
        Tensor sent = Tensor.ones(numbers(shape));
        Tensor got = read(List.copyOf(written(sent)));
        assertArrayEquals(sent.shape(), got.shape());
        assertArrayEquals(numbers(strides), sent.strides());
        assertArrayEquals(numbers(strides), got.strides());
        assertTrue(got.isContiguous());
        assertTrue(got.equal(sent));
        Arrays.fill(got.strides(), 7);
        assertArrayEquals(numbers(strides), got.strides(), "callers get a copy of the strides");
    }

    @Test
    void viewsWithGapsKeepTheirStridesAndLeaveTheGapsBehind() {
        Tensor whole = Tensor.arange(240).reshape(12, 20);
        Tensor wide = Tensor.arange(1_200_000).reshape(1000, 1200);
        for (Tensor sent :
                List.of(
                        whole.narrow(1, 3, 2),
                        whole.t().narrow(0, 1, 2),
                        whole.narrow(1, 0, 1).expand(12, 5),
                        whole.unsqueeze(1).narrow(2, 2, 3).expand(12, 4, 3),
                        wide.narrow(1, 5, 700))) {
            Deque<Object> parts = written(sent);
            long elements =
                    TensorAccess.storage(sent).equals(TensorAccess.storage(wide)) ? 700_000 : 60;
            if (parts.getLast() instanceof MemorySegment buffer) {
                assertTrue(buffer.byteSize() <= elements * Long.BYTES, "gaps were sent");
            }
            Tensor got = read(List.copyOf(parts));
            assertTrue(got.equal(sent));
            assertArrayEquals(sent.strides(), got.strides());
            assertEquals(0, got.storageOffset());
        }
    }

    @Test
    void viewThatWouldBeMostlyGapsArrivesPacked() {
        Tensor sent = Tensor.arange(1_000_000).reshape(1000, 1000).narrow(1, 5, 100);
        Tensor got = read(List.copyOf(written(sent)));
        assertTrue(got.equal(sent));
        assertArrayEquals(new int[] {100, 1}, got.strides());
    }

    /** A few bytes may request kilobytes of gaps. */
    @Test
    void smallGapsCountAgainstTheSender() {
        Tensor sent = Tensor.arange(240).reshape(12, 20).narrow(1, 3, 2);
        read(List.copyOf(written(sent)));
        assertEquals((11 * 20 + 2) * Long.BYTES, charged);
        charged = 0;
        read(List.copyOf(written(sent.contiguous())));
        assertEquals(0, charged);
    }

    /** The size in bytes overflows a long. */
    @Test
    void gapsWhoseSizeOverflowsAreUndecodable() {
        var parts = new ArrayDeque<Object>(List.of(4 + 1024 + 2048, false, 1, Integer.MAX_VALUE));
        parts.addAll(List.of(false, 0, Integer.MAX_VALUE, 1, 7));
        String message =
                assertThrows(DecodingException.class, () -> read(List.copyOf(parts))).getMessage();
        assertTrue(String.valueOf(message).contains("does not keep the gaps"), message);
        assertEquals(0, charged);
    }

    @Test
    void gapsWithoutMeasureAreUndecodable() {
        List<Object> ints = List.of(4 + 1024 + 2048, false, 1, 2, true);
        for (int stride : new int[] {1 << 20, Integer.MAX_VALUE}) {
            var parts = new ArrayDeque<Object>(ints);
            parts.addAll(List.of(stride, 2, 7, 8));
            String message =
                    assertThrows(DecodingException.class, () -> read(List.copyOf(parts)))
                            .getMessage();
            assertTrue(String.valueOf(message).contains("does not keep the gaps"), message);
        }
    }

    /** Overlapping rows have many more elements than arrived. */
    @Test
    void gapsOfOverlappingRowsAreMeasuredByWhatArrived() {
        int size = 1 << 15;
        var parts = new ArrayDeque<Object>(List.of(1 + 2048, false, 2, size, size, false, 1, 1));
        parts.addAll(List.of(size, 1, MemorySegment.ofArray(new float[2 * size - 1])));
        String message =
                assertThrows(DecodingException.class, () -> read(List.copyOf(parts))).getMessage();
        assertTrue(String.valueOf(message).contains("does not keep the gaps"), message);
    }

    private static int[] numbers(@Nullable String text) {
        return text == null
                ? new int[0]
                : Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    @Test
    void whatIsNoTensorIsUndecodable() {
        byte[] bytes = {0, 1, 2};
        assertRefused("the one at 2 is neither", 5, MemorySegment.ofArray(bytes));
        assertRefused("unknown element type 8", 8, MemorySegment.ofArray(new byte[3]));
        assertRefused("no whole number of elements", 4, MemorySegment.ofArray(bytes));
        assertRefused("does not fit", 4, MemorySegment.ofArray(new int[2]));
    }

    @Test
    void numbersOfMoreThanSixteenBitsAreUndecodable() {
        List<Object> parts = List.of(6 + 1024, false, 1, 2, true, 2, -1, 0x8000);
        String message = assertThrows(DecodingException.class, () -> read(parts)).getMessage();
        assertTrue(String.valueOf(message).contains("32768 is not an element of 16 bits"), message);
    }

    private void assertRefused(String text, int code, MemorySegment elements) {
        List<Object> parts = Arrays.asList(code, false, 1, 3, true, elements);
        String message = assertThrows(DecodingException.class, () -> read(parts)).getMessage();
        assertTrue(String.valueOf(message).contains(text), message);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void tensorsOnDevicesAreWrittenWithWhereTheyShallLie(DType dtype) {
        Device there = Device.parse("cuda:2");
        var mapping =
                new TensorCodec(
                        (device, _) -> device.index() == 1 ? there : Device.CPU, DeviceCopies.NONE);
        Tensor tensor = Tensor.of(-2, 0, 1, 5, 0, 7).to(dtype).reshape(2, 3);
        Deque<Object> parts = written(mapping, tensor.to(Device.parse("cuda:1")).t());
        assertEquals(0x200, parts.removeFirst());
        assertEquals("cuda:2", parts.removeFirst());
        assertTrue(read(List.copyOf(parts)).equal(tensor.t()));
        parts.addFirst("cuda:2");
        parts.addFirst(0x200);
        Tensor got = read(List.copyOf(parts));
        assertEquals(there, got.device());
        assertTrue(got.to(Device.CPU).equal(tensor.t()));
        assertEquals(Device.CPU, read(List.copyOf(written(tensor))).device());
    }

    @Test
    void gradientsAreStillRequiredOnDevices() {
        Tensor tensor = Tensor.ones(2).to(Device.parse("cuda:1")).requiresGrad(true);
        Tensor got = read(List.copyOf(written(tensor)));
        assertTrue(got.requiresGrad() && got.isLeaf());
        assertEquals(tensor.device(), got.device());
    }

    @Test
    void noDeviceIsUndecodable() {
        List<Object> parts = List.of(0x200, "moon:1");
        String message = assertThrows(DecodingException.class, () -> read(parts)).getMessage();
        assertTrue(String.valueOf(message).contains("moon:1"), message);
    }
}
