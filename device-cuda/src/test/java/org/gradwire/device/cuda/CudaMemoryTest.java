package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import org.gradwire.spi.device.DeviceMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.SplittableRandom;

/** Copies of memory, of all sizes around the parts of pinned memory they go through. */
@NeedsFakeCuda
class CudaMemoryTest {
    private static final int PART = 4 << 20;

    private final CudaDevice first = FakeCuda.device(0);
    private final CudaDevice second = FakeCuda.device(1);

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(FakeCuda.SEED).nextBytes(bytes);
        return bytes;
    }

    private static CudaMemory memory(CudaDevice device, byte[] contents) {
        var memory = new CudaMemory(device, contents.length);
        memory.copyFromHost(MemorySegment.ofArray(contents), 0);
        return memory;
    }

    private static byte[] contents(DeviceMemory memory) {
        byte[] bytes = new byte[(int) memory.bytes()];
        memory.copyToHost(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                511,
                512,
                513,
                PART - 1,
                PART,
                PART + 1,
                2 * PART - 1,
                2 * PART,
                2 * PART + 1,
                3 * PART + 5
            })
    void bytesOfTheHeapComeBack(int size) {
        byte[] bytes = bytes(size);
        CudaMemory memory = memory(first, bytes);
        assertEquals(size, memory.bytes());
        assertArrayEquals(bytes, contents(memory));
        memory.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PART - 1, PART, PART + 1, 2 * PART + 1})
    void bytesOfNativeMemoryComeBack(int size) {
        byte[] bytes = bytes(size);
        var memory = new CudaMemory(second, size);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(size + 1L).asSlice(1, size);
            source.copyFrom(MemorySegment.ofArray(bytes));
            memory.copyFromHost(source, 0);
            source.fill((byte) 7); // after the call the source may be changed
            MemorySegment target = arena.allocate(size + 1L).asSlice(1, size);
            memory.copyToHost(0, target);
            assertArrayEquals(bytes, target.toArray(JAVA_BYTE));
        }
        memory.release();
    }

    @Test
    void readOnlySourceIsCopied() {
        byte[] bytes = bytes(10);
        var memory = new CudaMemory(first, 10);
        memory.copyFromHost(MemorySegment.ofArray(bytes).asReadOnly(), 0);
        assertArrayEquals(bytes, contents(memory));
    }

    @Test
    void copiesOfPartsLeaveTheRest() {
        CudaMemory memory = memory(first, new byte[] {0, 1, 2, 3, 4, 5});
        memory.copyFromHost(MemorySegment.ofArray(new byte[] {10, 11}), 3);
        byte[] read = new byte[3];
        memory.copyToHost(2, MemorySegment.ofArray(read));
        assertArrayEquals(new byte[] {2, 10, 11}, read);
        var other = memory(first, new byte[] {9, 9, 9, 9});
        memory.copyTo(3, other, 1, 2);
        assertArrayEquals(new byte[] {9, 10, 11, 9}, contents(other));
        other.clear();
        assertArrayEquals(new byte[4], contents(other));
        assertArrayEquals(new byte[] {0, 1, 2, 10, 11, 5}, contents(memory));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, PART + 1})
    void copiesGoFromDeviceToDevice(int size) {
        byte[] bytes = bytes(size);
        CudaMemory here = memory(first, bytes);
        var there = new CudaMemory(second, size);
        var back = new CudaMemory(first, size);
        here.copyTo(0, there, 0, size);
        here.clear();
        there.copyTo(0, back, 0, size);
        there.clear();
        assertArrayEquals(bytes, contents(back));
        assertArrayEquals(new byte[size], contents(there));
        assertArrayEquals(new byte[size], contents(here));
        List.of(here, there, back).forEach(CudaMemory::release);
    }

    @Test
    void placesOutsideTheMemoryAreRefused() {
        CudaMemory memory = memory(first, new byte[] {1, 2, 3, 4});
        MemorySegment two = MemorySegment.ofArray(new byte[2]);
        for (long offset : new long[] {-1, 3, 4, Long.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> memory.copyFromHost(two, offset));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.copyToHost(offset, two));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> memory.copyTo(offset, memory, 0, 2));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> memory.copyTo(0, memory, offset, 2));
        }
        assertArrayEquals(new byte[] {1, 2, 3, 4}, contents(memory));
    }

    @Test
    void releasedMemoryIsRefused() {
        CudaMemory memory = memory(second, new byte[] {1, 2});
        CudaMemory other = memory(second, new byte[] {3, 4});
        memory.release();
        memory.release();
        MemorySegment host = MemorySegment.ofArray(new byte[2]);
        for (Runnable use :
                List.<Runnable>of(
                        memory::clear,
                        () -> memory.copyFromHost(host, 0),
                        () -> memory.copyToHost(0, host),
                        () -> memory.copyTo(0, other, 0, 2),
                        () -> other.copyTo(0, memory, 0, 2))) {
            var e = assertThrows(IllegalStateException.class, use::run);
            assertEquals("memory of cuda:1 was used after its release", e.getMessage());
        }
        assertArrayEquals(new byte[] {3, 4}, contents(other));
    }

    @Test
    void memoryOfAnotherProviderIsRefused() {
        CudaMemory memory = memory(first, new byte[] {1, 2});
        var other =
                (DeviceMemory)
                        Proxy.newProxyInstance(
                                DeviceMemory.class.getClassLoader(),
                                new Class<?>[] {DeviceMemory.class},
                                (_, _, _) -> "paper");
        var e = assertThrows(IllegalArgumentException.class, () -> memory.copyTo(0, other, 0, 2));
        assertEquals(
                "paper is not memory of a CUDA device; copy by way of the host", e.getMessage());
    }
}
