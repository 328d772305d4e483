package org.gradwire.device.virtual;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.DeviceKernels;
import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory and kernels of the virtual devices. */
class VirtualDevicesTest {
    private final VirtualDevices devices = new VirtualDevices();

    private static byte[] contents(DeviceMemory memory) {
        byte[] bytes = new byte[(int) memory.bytes()];
        memory.copyToHost(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    @Test
    void providerHasFourDevices() {
        assertEquals("cuda", devices.type());
        assertEquals(4, devices.count());
        var e = assertThrows(IllegalArgumentException.class, () -> devices.allocate(4, 1));
        assertEquals("there is no device 4; expected 0 to 3", e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> devices.allocate(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> devices.memoryUse(4));
    }

    @Test
    void releasedMemoryIsRefused() {
        DeviceMemory memory = devices.allocate(2, 8);
        assertEquals(2, memory.index());
        memory.clear();
        assertArrayEquals(new byte[8], contents(memory));
        memory.release();
        memory.release();
        var e = assertThrows(IllegalStateException.class, memory::clear);
        assertEquals("memory of cuda:2 was used after its release", e.getMessage());
    }

    /** Operands of a sum of two correspond in row-major order, however each is laid out. */
    @Test
    void kernelsReadStridedElementsAndNumbers() {
        DeviceMemory memory = devices.allocate(0, 24);
        memory.copyFromHost(MemorySegment.ofArray(new float[] {1, 2, 3, 4, 5, 6}), 0);
        DeviceMemory sums = devices.allocate(0, 24);
        Operand columns =
                Operand.of(memory, ElementType.FLOAT32, 0, new int[] {3, 2}, new int[] {1, 3});
        Operand result = Operand.of(sums, ElementType.FLOAT32, 0, new int[] {6}, new int[] {1});
        DeviceKernels kernels = devices.kernels();
        assertTrue(kernels.has("add", ElementType.FLOAT32));
        assertFalse(kernels.has("add", ElementType.INT64));
        assertTrue(
                kernels.run(
                        "add", result, List.of(columns, Operand.number(ElementType.FLOAT32, 0.5))));
        float[] read = new float[6];
        sums.copyToHost(0, MemorySegment.ofArray(read));
        assertArrayEquals(new float[] {1.5f, 4.5f, 2.5f, 5.5f, 3.5f, 6.5f}, read);
    }

    @Test
    void copiesGoBetweenHostAndDevices() {
        DeviceMemory first = devices.allocate(0, 4);
        first.copyFromHost(MemorySegment.ofArray(new byte[] {1, 2, 3}), 1);
        assertArrayEquals(new byte[] {-1, 1, 2, 3}, contents(first));
        DeviceMemory second = devices.allocate(3, 3);
        first.copyTo(2, second, 0, 2);
        assertArrayEquals(new byte[] {2, 3, -1}, contents(second));
        byte[] part = new byte[1];
        second.copyToHost(1, MemorySegment.ofArray(part));
        assertArrayEquals(new byte[] {3}, part);
    }

    @Test
    void memoryOfAnotherProviderIsRefused() {
        DeviceMemory own = devices.allocate(0, 1);
        DeviceMemory other = new VirtualDevices().allocate(0, 1);
        assertThrows(IllegalArgumentException.class, () -> own.copyTo(0, other, 0, 1));
    }
}
