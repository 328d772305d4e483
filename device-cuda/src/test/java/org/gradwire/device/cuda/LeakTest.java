package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Memory that is no longer reachable. */
@NeedsFakeCuda
class LeakTest {
    private static final int MIB = 1 << 20;

    private final CudaDevice device = FakeCuda.newDevice(0);

    private void useAndDrop() {
        var kernels = new CudaKernels(false);
        for (int i = 0; i < 200; i++) {
            var numbers = new HostArray(ElementType.FLOAT32, 1000 * (1 + i % 7));
            CudaMemory x = numbers.copyTo(device);
            int[] sizes = {numbers.length};
            Operand operand = Operand.of(x, ElementType.FLOAT32, 0, sizes, new int[] {1});
            kernels.run("exp", operand, List.of(operand));
            var sums = new CudaMemory(device, 4);
            Operand sum = Operand.of(sums, ElementType.FLOAT32, 0, new int[0], new int[0]);
            kernels.run("sum", sum, List.of(operand));
        }
    }

    @Test
    void unreachableMemoryIsReclaimedAndGivenBack() {
        long blocks = FakeCuda.liveBlocks(0);
        long bytes = FakeCuda.liveBytes(0);
        useAndDrop();
        BlockAllocator allocator = device.allocator();
        assertTrue(allocator.use().reserved() > 0);
        FakeCuda.collectUntil(() -> allocator.use().allocated() == 0);
        assertEquals(bytes + allocator.use().reserved(), FakeCuda.liveBytes(0));
        allocator.trim();
        assertEquals(0, allocator.use().reserved());
        assertEquals(bytes, FakeCuda.liveBytes(0));
        assertEquals(blocks, FakeCuda.liveBlocks(0));
    }

    /** More than the device has, in all, but none of it reachable for long. */
    @Test
    void garbageIsCollectedWhenTheDeviceIsFull() {
        long total = device.properties().memory();
        for (long used = 0; used < 2 * total; used += 300L * MIB) {
            new CudaMemory(device, 300L * MIB).clear();
        }
        FakeCuda.collectUntil(() -> device.allocator().use().allocated() == 0);
        device.allocator().trim();
    }

    @Test
    void aDeviceThatIsFullSaysSo() {
        List<CudaMemory> held = new ArrayList<>();
        var e =
                assertThrows(
                        OutOfMemoryError.class,
                        () -> {
                            while (true) {
                                held.add(new CudaMemory(device, 100L * MIB));
                            }
                        });
        String text = String.valueOf(e.getMessage());
        assertTrue(
                text.startsWith(
                        "%s cannot allocate 100 more MiB: tensors hold %d MiB, 0 MiB are kept for reuse in parts, the device has "
                                .formatted(device, 100 * held.size())),
                text);
        assertTrue(text.endsWith(" MiB free; release tensors sooner (TensorScope)"), text);
        held.forEach(CudaMemory::release);
        var again = new CudaMemory(device, 100L * MIB);
        again.clear();
        again.release();
        device.allocator().trim();
    }
}
