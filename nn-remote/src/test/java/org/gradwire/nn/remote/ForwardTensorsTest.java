package org.gradwire.nn.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The tensors that are moved to a module's device, and back from it. */
class ForwardTensorsTest {
    private static final Device CUDA = new Device("cuda", 1);

    /** A result with a tensor and other values. */
    public record Result(String text, Tensor tensor, List<Tensor> deeper) {}

    /** A result that no other class can create. */
    private record Hidden(Tensor tensor) {}

    private static Tensor there() {
        return Tensor.of(1f, 2f).to(CUDA);
    }

    private static void assertHere(@Nullable Object value) {
        Tensor tensor = assertInstanceOf(Tensor.class, value);
        assertEquals(Device.CPU, tensor.device());
        assertTrue(Tensor.of(1f, 2f).equal(tensor));
    }

    @Test
    void argumentsThatAreTensorsAreMoved() {
        List<Tensor> deeper = List.of(Tensor.ones(1));
        List<?> moved =
                ForwardTensors.moved(Arrays.asList(Tensor.ones(1), "text", null, deeper), CUDA);
        assertEquals(CUDA, assertInstanceOf(Tensor.class, moved.get(0)).device());
        assertEquals("text", moved.get(1));
        assertNull(moved.get(2));
        assertSame(deeper, moved.get(3));
    }

    @Test
    void aTensorComesBackWhole() {
        assertHere(ForwardTensors.onHost(there()));
    }

    @Test
    void elementsComeBack() {
        List<?> list =
                assertInstanceOf(
                        List.class,
                        ForwardTensors.onHost(Arrays.asList(there(), 3, null, List.of(there()))));
        assertHere(list.get(0));
        assertEquals(3, list.get(1));
        assertNull(list.get(2));
        List<?> deeper = assertInstanceOf(List.class, list.get(3));
        assertEquals(CUDA, assertInstanceOf(Tensor.class, deeper.getFirst()).device());
        Map<?, ?> map =
                assertInstanceOf(Map.class, ForwardTensors.onHost(Map.of("a", there(), "b", 4)));
        assertHere(Objects.requireNonNull(map.get("a")));
        assertEquals(4, map.get("b"));
    }

    @Test
    void componentsComeBack() {
        var result =
                assertInstanceOf(
                        Result.class,
                        ForwardTensors.onHost(new Result("text", there(), List.of(there()))));
        assertEquals("text", result.text());
        assertHere(result.tensor());
        assertEquals(CUDA, result.deeper().getFirst().device());
    }

    @Test
    void whatIsHereIsLeftAlone() {
        var result = new Result("text", Tensor.ones(1), List.of());
        assertSame(result, ForwardTensors.onHost(result));
        assertSame("text", ForwardTensors.onHost("text"));
        assertNull(ForwardTensors.onHost(null));
    }

    @Test
    void aRecordThatCannotBeMadeAgainIsRefused() {
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ForwardTensors.onHost(new Hidden(there())));
        assertTrue(
                String.valueOf(e.getMessage())
                        .contains("let it be a record marked @WireValue that is public"),
                e.getMessage());
    }
}
