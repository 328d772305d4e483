package org.gradwire.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Tensors of each type as they are written, and what is refused when it is read. */
class TensorCodecTest {
    private final TensorCodec codec = new TensorCodec(id -> "worker" + id);

    /** {@return what a tensor is written as: numbers and flags, then the buffer} */
    private Deque<Object> written(Tensor tensor) {
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
                proxy(Input.class, (name, _) -> name.startsWith("read") ? left.remove() : null));
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
        "BOOL, 5, BYTE"
    })
    void typesHaveTheNumbersOfTheProtocol(DType dtype, int code, ElementKind kind) {
        Deque<Object> parts = written(Tensor.ones(dtype, 2, 3));
        MemorySegment buffer = (MemorySegment) parts.removeLast();
        assertEquals(List.of(code, false, 2, 2, 3, true), List.copyOf(parts));
        assertEquals(kind, ElementKind.of(buffer));
        assertEquals(kind, dtype.kind());
        assertEquals(6L * dtype.bytes(), buffer.byteSize());
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

    @Test
    void whatIsNoTensorIsUndecodable() {
        byte[] bytes = {0, 1, 2};
        assertRefused("the one at 2 is neither", 5, MemorySegment.ofArray(bytes));
        assertRefused("unknown element type 6", 6, MemorySegment.ofArray(new byte[3]));
        assertRefused("no whole number of elements", 4, MemorySegment.ofArray(bytes));
        assertRefused("does not fit", 4, MemorySegment.ofArray(new int[2]));
    }

    private void assertRefused(String text, int code, MemorySegment elements) {
        List<Object> parts = Arrays.asList(code, false, 1, 3, true, elements);
        String message = assertThrows(DecodingException.class, () -> read(parts)).getMessage();
        assertTrue(String.valueOf(message).contains(text), message);
    }

    /** {@return an output to a worker, to which nothing is written} */
    private static Output outputTo(int destination) {
        return (Output)
                Proxy.newProxyInstance(
                        Output.class.getClassLoader(),
                        new Class<?>[] {Output.class},
                        (_, method, _) -> {
                            assertEquals("destination", method.getName());
                            return destination;
                        });
    }

    @ParameterizedTest
    @CsvSource({"3, worker3", "-1, nowhere"})
    void tensorOnADeviceIsRefused(int destination, String said) {
        Tensor tensor = Tensor.ones(2).to(Device.parse("cuda:1"));
        Output out = outputTo(destination);
        var e =
                assertThrows(
                        RpcException.class,
                        () -> new TensorCodec(id -> "worker" + id).encode(tensor, out));
        assertEquals(
                "TensorPipe RPC backend only supports CPU tensors by default, please move your tensors to CPU before sending them over RPC, or call `set_device_map` on `TensorPipeRpcBackendOptions` to explicitly configure device mapping. Request device mapping is not available for destination "
                        + said
                        + ", but found tensor on device: cuda:1",
                e.getMessage());
    }
}
