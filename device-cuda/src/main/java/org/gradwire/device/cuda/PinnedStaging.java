package org.gradwire.device.cuda;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Copies between memory of the host, in the heap or native, and a device, through two parts of
 * pinned memory: one is filled or emptied while the other is copied. Locked by each copy.
 */
final class PinnedStaging {
    private static final long PART = 4 << 20;
    private static final int PARTS = 2;

    private final CudaStream stream;
    private final MemorySegment[] parts = new MemorySegment[PARTS];
    private final MemorySegment[] done = new MemorySegment[PARTS]; // events

    PinnedStaging(CudaStream stream) {
        this.stream = stream;
        Arrays.fill(parts, MemorySegment.NULL);
        Arrays.fill(done, MemorySegment.NULL);
        try {
            for (int i = 0; i < PARTS; i++) {
                parts[i] = DriverMemory.allocatePinned(PART);
                done[i] = DriverQueue.createEvent(DriverQueue.NO_TIMING);
            }
        } catch (RuntimeException e) {
            free();
            throw e;
        }
    }

    private void free() {
        for (int i = 0; i < PARTS; i++) {
            if (parts[i].address() != 0) {
                DriverMemory.freePinned(parts[i]);
            }
            if (done[i].address() != 0) {
                DriverQueue.destroyEvent(done[i]);
            }
        }
    }

    /** Copy to a device; the source may be changed afterwards. */
    synchronized void copyToDevice(MemorySegment source, long address) {
        long bytes = source.byteSize();
        for (long at = 0; at < bytes; at += PART) {
            int part = part(at);
            long length = Math.min(PART, bytes - at);
            stream.device.enter();
            DriverQueue.await(done[part]); // the copy before, which read this part
            MemorySegment.copy(source, at, parts[part], 0, length);
            stream.device.enter();
            DriverMemory.copyToDevice(address + at, parts[part], length, stream.handle());
            DriverQueue.record(done[part], stream.handle());
        }
    }

    /** Copy from a device; the target is complete afterwards. */
    synchronized void copyToHost(long address, MemorySegment target) {
        try {
            requestAndReceive(address, target);
        } catch (RuntimeException e) {
            stream.synchronize(); // or else a part could be written while another copy fills it
            throw e;
        }
    }

    private void requestAndReceive(long address, MemorySegment target) {
        long bytes = target.byteSize();
        for (long at = 0; at < bytes + PART; at += PART) {
            if (at < bytes) {
                request(address + at, Math.min(PART, bytes - at), part(at));
            }
            if (at >= PART) {
                receive(target, at - PART, part(at - PART));
            }
        }
    }

    private static int part(long at) {
        return (int) (at / PART % PARTS);
    }

    private void request(long address, long length, int part) {
        stream.device.enter();
        DriverMemory.copyToHost(parts[part], address, length, stream.handle());
        DriverQueue.record(done[part], stream.handle());
    }

    private void receive(MemorySegment target, long at, int part) {
        stream.device.enter();
        DriverQueue.await(done[part]);
        MemorySegment.copy(parts[part], 0, target, at, Math.min(PART, target.byteSize() - at));
    }
}
