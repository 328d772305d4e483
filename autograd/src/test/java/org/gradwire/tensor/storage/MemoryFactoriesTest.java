package org.gradwire.tensor.storage;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.gradwire.tensor.access.TensorAccess;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/** Tensors over segments and buffers, and the memory of tensors. */
class MemoryFactoriesTest {

    @Test
    void wrappedArraysAreShared() {
        float[] array = {0, 1, 2, 3, 4, 5};
        MemorySegment tail = MemorySegment.ofArray(array).asSlice(8);
        Tensor x = Tensor.wrap(DType.FLOAT32, tail, 2, 2);
        assertArrayEquals(new float[] {2, 3, 4, 5}, x.toFloatArray());
        array[2] = 9;
        assertEquals(9, x.get(0, 0));
        x.at(1).fill_(7);
        assertArrayEquals(new float[] {0, 1, 9, 3, 7, 7}, array);
        Tensor copy = Tensor.copyOf(DType.FLOAT32, tail, 4, 1);
        array[2] = 8;
        assertEquals(9, copy.get(0, 0));
    }

    @Test
    void wrappedNativeMemoryIsSharedUntilItsArenaIsClosed() {
        Tensor x;
        Tensor copy;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2, 3);
            x = Tensor.wrap(DType.INT64, segment);
            copy = Tensor.copyOf(DType.INT64, segment);
            segment.setAtIndex(ValueLayout.JAVA_LONG, 1, 20);
            assertArrayEquals(new long[] {1, 20, 3}, x.toLongArray());
            x.at(2).fill_(30);
            assertEquals(30, segment.getAtIndex(ValueLayout.JAVA_LONG, 2));
            assertEquals(51, x.sum().itemAsLong());
        }
        assertArrayEquals(new long[] {1, 2, 3}, copy.toLongArray());
        String closed = "the Arena of the memory under this tensor was closed";
        assertFails(IllegalStateException.class, closed, () -> x.add(1));
        assertFails(IllegalStateException.class, closed, () -> x.get(0));
        assertFails(IllegalStateException.class, closed, () -> x.at(0).fill_(1));
        assertFails(IllegalStateException.class, closed, x::toString);
        assertFails(IllegalStateException.class, closed, x::asSegment);
    }

    @Test
    void wrappedBuffersAreSharedFromPositionToLimit() {
        float[] floats = {1, 2, 3, 4};
        Tensor x = Tensor.wrap(FloatBuffer.wrap(floats, 1, 2));
        x.fill_(0);
        assertArrayEquals(new float[] {1, 0, 0, 4}, floats);
        DoubleBuffer doubles =
                ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder()).asDoubleBuffer();
        Tensor y = Tensor.wrap(doubles, 2, 2);
        doubles.put(3, 2.5);
        assertEquals(2.5, y.get(1, 1));
        assertEquals(DType.FLOAT64, y.dtype());
        LongBuffer longs = LongBuffer.wrap(new long[] {5, 6});
        Tensor z = Tensor.wrap(longs, 2, 1);
        z.at(1).fill_(8);
        assertEquals(8, longs.get(1));
    }

    @Test
    void copiesOfBuffersNeedNoCertainOrderOrKind() {
        FloatBuffer foreign =
                ByteBuffer.allocate(12).order(foreignOrder()).putFloat(4, 1.5f).asFloatBuffer();
        foreign.position(1);
        Tensor x = Tensor.copyOf(foreign.asReadOnlyBuffer(), 2, 1);
        assertArrayEquals(new float[] {1.5f, 0}, x.toFloatArray());
        assertEquals(1, foreign.position());
        foreign.put(1, 9);
        assertEquals(1.5, x.get(0, 0));
        assertTrue(Tensor.copyOf(DoubleBuffer.wrap(new double[] {1})).equal(Tensor.of(1.0)));
        assertTrue(Tensor.copyOf(LongBuffer.wrap(new long[] {1, 2})).equal(Tensor.of(1, 2)));
        byte[] bytes = new byte[9];
        bytes[1] = 3;
        MemorySegment odd = MemorySegment.ofArray(bytes).asSlice(1);
        ByteOrder order = ByteOrder.nativeOrder();
        long expected = ByteBuffer.wrap(bytes).order(order).getLong(1);
        assertEquals(expected, Tensor.copyOf(DType.INT64, odd).getLong(0));
    }

    private static ByteOrder foreignOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                ? ByteOrder.LITTLE_ENDIAN
                : ByteOrder.BIG_ENDIAN;
    }

    @Test
    void memoryThatCannotBeSharedIsRefused() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
        assertFails(
                IllegalArgumentException.class,
                "the memory of a byte[] cannot be that of a float32 tensor, which is a float[]; use Tensor.copyOf",
                () -> Tensor.wrap(DType.FLOAT32, bytes));
        assertFails(
                IllegalArgumentException.class,
                "the memory is read-only",
                () -> Tensor.wrap(FloatBuffer.allocate(2).asReadOnlyBuffer()));
        assertFails(
                IllegalArgumentException.class,
                "the buffer's byte order is " + foreignOrder(),
                () ->
                        Tensor.wrap(
                                ByteBuffer.allocateDirect(8).order(foreignOrder()).asLongBuffer()));
        assertFails(
                IllegalArgumentException.class,
                "shape '[3]' is invalid for input of size 2",
                () -> Tensor.wrap(FloatBuffer.allocate(2), 3));
        assertFails(
                IllegalArgumentException.class,
                "15 bytes are not a whole number",
                () -> Tensor.copyOf(DType.FLOAT32, bytes.asSlice(1)));
        MemorySegment odd = Arena.ofAuto().allocate(9, 8).asSlice(1);
        assertFails(
                IllegalArgumentException.class,
                "is not aligned to the 8 bytes of a float64",
                () -> Tensor.wrap(DType.FLOAT64, odd));
    }

    @Test
    void segmentsOfTensorsAreTheirMemory() {
        Tensor x = Tensor.of(new float[][] {{1, 2}, {3, 4}});
        x.at(1).asSegment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 9);
        assertEquals(9, x.get(1, 0));
        assertEquals(0, x.slice(0, 2, 2).asSegment().byteSize());
        assertFails(
                IllegalStateException.class,
                "asSegment() needs a contiguous tensor, this is float32[2, 2] with strides [1, 2]",
                () -> x.t().asSegment());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = x.t().toSegment(arena);
            assertArrayEquals(new float[] {1, 9, 2, 4}, copy.toArray(ValueLayout.JAVA_FLOAT));
            copy.fill((byte) 0);
        }
        assertEquals(1, x.get(0, 0));
    }

    @Test
    void segmentsOfTensorsOutliveTheScopeOfThose() {
        int count = Storage.NATIVE_FROM_BYTES;
        MemorySegment segment;
        Tensor x;
        try (var _ = TensorScope.open()) {
            x = Tensor.ones(count);
            segment = x.asSegment();
        }
        assertTrue(segment.isNative());
        assertEquals(1, segment.getAtIndex(ValueLayout.JAVA_FLOAT, count - 1));
        assertEquals(count, x.sum().item());
    }

    @Test
    void numbersAtEvenDistancesAreThoseOfPyTorch() {
        assertArrayEquals(
                new float[] {0, 0.25f, 0.5f, 0.75f, 1}, Tensor.linspace(0, 1, 5).toFloatArray());
        assertArrayEquals(
                new double[] {3}, Tensor.linspace(DType.FLOAT64, 3, 9, 1).toDoubleArray());
        assertEquals(0, Tensor.linspace(0, 1, 0).numel());
        assertArrayEquals(
                new long[] {0, 1, 3, 5}, Tensor.linspace(DType.INT64, 0, 5, 4).toLongArray());
        assertArrayEquals(new float[] {0.1f, 1, 10}, Tensor.logspace(-1, 1, 3).toFloatArray());
        assertTrue(Tensor.arange(0, 1, 0.3).allclose(Tensor.of(0f, 0.3f, 0.6f, 0.9f), 1e-6, 1e-7));
        assertTrue(Tensor.eye(2).equal(Tensor.of(new float[][] {{1, 0}, {0, 1}})));
        assertArrayEquals(
                new long[] {1, 0, 0, 1, 0, 0}, Tensor.eye(DType.INT64, 3, 2).toLongArray());
        assertFails(
                IllegalArgumentException.class,
                "number of steps must be non-negative, got -1",
                () -> Tensor.linspace(0, 1, -1));
        assertFails(
                IllegalArgumentException.class,
                "n must be greater or equal to 0, got -2",
                () -> Tensor.eye(-2));
        assertFails(
                IllegalArgumentException.class,
                "inconsistent with step sign",
                () -> Tensor.arange(0.0, 1.0, -1.0));
    }

    @Test
    void likeMeansOfTheSameShapeAndType() {
        Tensor x = Tensor.zeros(DType.FLOAT64, 2, 3);
        assertTrue(Tensor.fullLike(x, 4).equal(Tensor.full(DType.FLOAT64, 4, 2, 3)));
        assertEquals("float64[2, 3]", TensorAccess.describe(Tensor.emptyLike(x)));
        assertEquals("float32[4]", TensorAccess.describe(Tensor.empty(4)));
        assertFalse(Tensor.emptyLike(x).requiresGrad());
    }
}
