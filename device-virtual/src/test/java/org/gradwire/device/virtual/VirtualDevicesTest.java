package org.gradwire.device.virtual;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.spi.device.DeviceMemory;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Address spaces of the virtual devices. */
class VirtualDevicesTest {
    private final VirtualDevices devices = new VirtualDevices();

    private static String problem(DeviceMemory memory) {
        return String.valueOf(
                assertThrows(IllegalStateException.class, memory::segment).getMessage());
    }

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
        assertThrows(IllegalArgumentException.class, () -> devices.enter(-1));
    }

    @Test
    void onlyKernelsOfADeviceTouchItsMemory() {
        DeviceMemory first = devices.allocate(0, 8);
        DeviceMemory second = devices.allocate(1, 8);
        assertEquals(
                "the memory of cuda:0 was touched by host code; copy it to the host",
                problem(first));
        try (var _ = devices.enter(0)) {
            first.segment().set(ValueLayout.JAVA_LONG, 0, 7);
            assertEquals(
                    "the memory of cuda:1 was touched by a kernel that runs for cuda:0",
                    problem(second));
            try (var _ = devices.enter(1)) {
                second.segment().set(ValueLayout.JAVA_LONG, 0, 8);
                assertEquals(
                        "the memory of cuda:0 was touched by a kernel that runs for cuda:1",
                        problem(first));
            }
            assertEquals(7, first.segment().get(ValueLayout.JAVA_LONG, 0));
        }
        assertEquals(
                "the memory of cuda:1 was touched by host code; copy it to the host",
                problem(second));
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
