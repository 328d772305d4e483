package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory and events of another process that this one has opened. A segment is opened once and kept,
 * as opening it takes much longer than a copy.
 */
final class CudaPeer implements DevicePeer {
    private static final int MOST_OPEN = 1 << 12;

    private final Map<ByteBuffer, Opened> segments = new HashMap<>();
    private final Map<ByteBuffer, MemorySegment> events = new HashMap<>();

    private final CudaSharing sharing;
    private boolean closed;

    CudaPeer(CudaSharing sharing) {
        this.sharing = sharing;
    }

    private record Opened(CudaDevice device, long address, long bytes) {}

    @Override
    public void check(byte[] exported, long bytes) {
        Export export = decoded(exported, bytes);
        var _ = address(sharing.device(export.device()), export);
    }

    private static Export decoded(byte[] exported, long bytes) {
        Export export = Export.decoded(exported);
        if (export.bytes() != bytes) {
            throw new IllegalArgumentException(
                    "a peer exported %d bytes of device memory for a tensor of %d"
                            .formatted(export.bytes(), bytes));
        }
        return export;
    }

    @Override
    public synchronized byte[] copyFrom(byte[] exported, DeviceMemory target) {
        Export export = decoded(exported, target.bytes());
        CudaMemory memory = (CudaMemory) target;
        CudaDevice source = sharing.device(export.device());
        long from = address(source, export);
        MemorySegment written = event(source, export.event());
        CudaStream stream = memory.device().stream();
        try {
            long to = memory.use(stream);
            memory.device().enter();
            DriverQueue.await(stream.handle(), written);
            CudaMemory.copy(memory.device(), to, source, from, export.bytes(), stream);
            return stream.recordForOthers();
        } finally {
            memory.used(stream);
        }
    }

    @Override
    public synchronized void copied(DeviceMemory memory, byte[] answer) {
        if (answer.length != DriverSharing.HANDLE_BYTES) {
            throw new IllegalArgumentException(
                    "a reply to exported memory has %d bytes, not %d"
                            .formatted(DriverSharing.HANDLE_BYTES, answer.length));
        }
        CudaMemory exported = (CudaMemory) memory;
        exported.await(event(exported.device(), answer));
    }

    /**
     * Return the address of exported memory, in the device's context.
     *
     * @throws IllegalArgumentException when it lies outside of its segment
     */
    private synchronized long address(CudaDevice device, Export export) {
        requireOpen();
        Opened opened = segments.get(ByteBuffer.wrap(export.memory()));
        if (opened == null) {
            requireFew(segments.size());
            device.enter();
            long address = DriverSharing.openMemory(export.memory());
            opened = new Opened(device, address, DriverSharing.size(address));
            segments.put(ByteBuffer.wrap(export.memory()), opened);
        }
        if (export.offset() > opened.bytes || export.bytes() > opened.bytes - export.offset()) {
            throw new IllegalArgumentException(
                    "a peer names %d bytes at %d of a segment of device memory that has %d"
                            .formatted(export.bytes(), export.offset(), opened.bytes));
        }
        return opened.address + export.offset();
    }

    /** {@return an event of the other process} */
    private synchronized MemorySegment event(CudaDevice device, byte[] handle) {
        requireOpen();
        MemorySegment event = events.get(ByteBuffer.wrap(handle));
        if (event == null) {
            requireFew(events.size());
            device.enter();
            event = DriverSharing.openEvent(handle);
            events.put(ByteBuffer.wrap(handle), event);
        }
        return event;
    }

    /** Work that is enqueued after the close would meet memory that is no longer there. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the memory of a peer was closed");
        }
    }

    private static void requireFew(int open) {
        if (open >= MOST_OPEN) {
            throw new IllegalArgumentException(
                    "a peer exported more than %d segments of device memory".formatted(MOST_OPEN));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        sharing.synchronize(); // any device may copy from any segment
        segments.values()
                .forEach(opened -> {
                    opened.device.enter();
                    DriverSharing.closeMemory(opened.address);
                });
        segments.clear();
        events.values().forEach(DriverQueue::destroyEvent);
        events.clear();
    }
}
