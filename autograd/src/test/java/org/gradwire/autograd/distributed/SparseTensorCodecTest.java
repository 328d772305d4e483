package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.spi.DecodingException;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The wire format of sparse tensors. */
class SparseTensorCodecTest {
    private static final TensorCodec CODEC =
            new TensorCodec((device, _) -> device, DeviceCopies.NONE);

    private static Tensor sparse() {
        Tensor indices = Tensor.of(new long[][] {{0, 1, 1}, {2, 0, 2}});
        return Tensor.sparseCoo(indices, Tensor.of(1f, 2f, 3f), 3, 3);
    }

    private static WireDouble encoded(Tensor tensor) {
        var wire = new WireDouble();
        CODEC.encode(tensor, wire.output());
        return wire;
    }

    private static Tensor roundTrip(Tensor tensor) {
        return CODEC.decode(encoded(tensor).input());
    }

    private static void assertSame(Tensor expected, Tensor actual) {
        assertEquals(Layout.SPARSE_COO, actual.layout());
        assertEquals(expected.dtype(), actual.dtype());
        assertArrayEquals(expected.shape(), actual.shape());
        assertEquals(expected.isCoalesced(), actual.isCoalesced());
        assertEquals(expected.requiresGrad(), actual.requiresGrad());
        assertTrue(expected.heldIndices().equal(actual.heldIndices()), actual::toString);
        assertTrue(expected.heldValues().equal(actual.heldValues()), actual::toString);
    }

    @Test
    void bytesAreThoseOfTheDocument() {
        WireDouble wire = encoded(sparse().requiresGrad(true));
        assertEquals(List.of(0x101, true, 2, 3, 3, 2, 3, false), wire.items.subList(0, 8));
        assertEquals(10, wire.items.size());
        String zero = "0000000000000000";
        String one = "0100000000000000";
        String two = "0200000000000000";
        assertEquals(
                zero + one + one + two + zero + two,
                HexFormat.of().formatHex((byte[]) wire.items.get(8)));
        assertEquals(
                "0000803f0000004000004040", HexFormat.of().formatHex((byte[]) wire.items.get(9)));
        assertEquals(1, wire.notes.size(), "the tensor is attached, not its parts");
        assertEquals(2, wire.released);
        assertEquals(true, encoded(sparse().coalesce()).items.get(7));
    }

    @Test
    void everyKindArrivesAsItWas() {
        Tensor hybrid = Tensor.ones(4, 2, 3).toSparse(1);
        Tensor strided =
                Tensor.sparseCoo(
                        Tensor.of(new long[][] {{1, 0}, {0, 2}}).t(),
                        Tensor.ones(3, 2).t(),
                        3,
                        3,
                        3);
        for (Tensor tensor :
                List.of(
                        sparse(),
                        sparse().coalesce(),
                        sparse().to(DType.FLOAT64).requiresGrad(true),
                        sparse().to(DType.INT64),
                        sparse().to(DType.INT32),
                        sparse().to(DType.BOOL),
                        hybrid,
                        strided,
                        Tensor.zeros(Layout.SPARSE_COO, DType.FLOAT32, 2, 3),
                        Tensor.scalar(2.5).toSparse())) {
            assertSame(tensor, roundTrip(tensor));
        }
    }

    @Property
    void anySparseTensorArrivesAsItWas(
            @ForAll @IntRange(min = 1, max = 4) int rows,
            @ForAll @IntRange(min = 1, max = 4) int columns,
            @ForAll @IntRange(max = 10) int nnz,
            @ForAll boolean hybrid,
            @ForAll boolean coalesced,
            @ForAll long seed) {
        var random = new SplittableRandom(seed);
        long[] indices = new long[(hybrid ? 1 : 2) * nnz];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = random.nextInt(i < nnz ? rows : columns);
        }
        Tensor values = hybrid ? Tensor.rand(random, nnz, columns) : Tensor.rand(random, nnz);
        Tensor tensor =
                Tensor.sparseCoo(Tensor.of(indices, hybrid ? 1 : 2, nnz), values, rows, columns);
        Tensor sent = coalesced ? tensor.coalesce() : tensor;
        assertSame(sent, roundTrip(sent));
    }

    private static void refused(String text, Consumer<List<Object>> change) {
        WireDouble wire = encoded(sparse().coalesce());
        change.accept(wire.items);
        String message =
                assertThrows(DecodingException.class, () -> CODEC.decode(wire.input()))
                        .getMessage();
        assertTrue(message.contains(text), message);
    }

    private static byte[] longs(long... numbers) {
        byte[] bytes = new byte[numbers.length * Long.BYTES];
        java.nio.ByteBuffer.wrap(bytes)
                .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .put(numbers);
        return bytes;
    }

    @Test
    void rubbishIsRefused() {
        refused("found index 3", items -> items.set(8, longs(0, 1, 1, 2, 0, 3)));
        refused("found negative index -1", items -> items.set(8, longs(-1, 1, 1, 2, 0, 2)));
        refused("do not ascend at column 1", items -> items.set(8, longs(1, 0, 1, 0, 2, 2)));
        refused("do not ascend at column 2", items -> items.set(8, longs(0, 1, 1, 2, 2, 2)));
        refused("does not fit the 4 elements", items -> items.set(8, longs(0, 1, 1, 2)));
        refused("8 elements came", items -> items.set(8, longs(0, 1, 1, 2, 0, 2, 0, 0)));
        refused("no whole number of elements", items -> items.set(8, new byte[47]));
        refused("does not fit the 2 elements", items -> items.set(9, new byte[8]));
        refused("4 elements came", items -> items.set(9, new byte[16]));
        refused("count 3 is not in 0 to 2", items -> items.set(5, 3));
        refused("count -1", items -> items.set(5, -1));
        refused("count -1", items -> items.set(6, -1));
        refused("does not fit the 6 elements", items -> items.set(6, Integer.MAX_VALUE));
        refused("size is 1 but found index 1", items -> items.set(3, 1));
        refused("more than 2147483647 elements", items -> items.set(3, Integer.MAX_VALUE));
        refused("unknown element type 99", items -> items.set(0, 0x100 | 99));
        refused(
                "elements of bool are bytes of 0 or 1",
                items -> {
                    items.set(0, 0x105);
                    items.set(9, new byte[] {0, 1, 2});
                });
        refused(
                "cannot require a gradient",
                items -> {
                    items.set(0, 0x103);
                    items.set(1, true);
                    items.set(9, new byte[24]);
                });
    }
}
