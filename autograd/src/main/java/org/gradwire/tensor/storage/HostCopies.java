package org.gradwire.tensor.storage;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/**
 * A thread's copies, on the host, of memory of devices, for kernels of the host where a device has
 * none. A copy is made when such a kernel asks for the memory, and lasts until the thread leaves
 * the device: for the operator that runs. What may have been written is then copied back.
 *
 * <p>Confined to its thread.
 */
final class HostCopies {
    private final IdentityHashMap<DeviceStorage, Copy> copies = new IdentityHashMap<>();
    private final IdentityHashMap<DeviceStorage, Boolean> changed = new IdentityHashMap<>();
    private int depth;
    private long period;

    /**
     * A copy.
     *
     * @param version of the original's elements
     */
    private record Copy(Storage onHost, int version) {
        MemorySegment bytes(DeviceStorage storage) {
            return onHost.segment().asSlice(0, storage.memory().bytes());
        }
    }

    /** The thread enters a device. */
    void enter() {
        if (depth++ == 0) {
            period++;
        }
    }

    /**
     * The thread leaves a device. At the outermost one the copies end.
     *
     * @param keep whether what was written is copied back
     */
    void leave(boolean keep) {
        if (--depth > 0) {
            return;
        }
        try {
            copies.forEach((storage, copy) -> {
                if (keep) {
                    copyBack(storage, copy);
                }
                copy.onHost.giveBack();
            });
        } finally {
            copies.clear();
            changed.clear();
        }
    }

    /** {@return the period between entering and leaving that the thread is in; each is unique} */
    long period() {
        return period;
    }

    /** A kernel will write to memory that may be older than this period. */
    void changing(DeviceStorage storage) {
        changed.put(storage, true);
    }

    /** {@return the copy of some memory} */
    Storage of(DeviceStorage storage, ThreadState state) {
        Copy copy = copies.get(storage);
        if (copy == null) {
            copy = copied(storage, state);
            copies.put(storage, copy);
            HostCopyCounts.count(state.operator, storage.memory().bytes());
        }
        return copy.onHost;
    }

    private static Copy copied(DeviceStorage storage, ThreadState state) {
        Storage onHost =
                Storage.allocateOnHost(storage.dtype(), storage.length(), false, state, null);
        var copy = new Copy(onHost, storage.version());
        if (!storage.isUndefined()) {
            storage.memory().copyToHost(0, copy.bytes(storage));
        }
        return copy;
    }

    /** A kernel of the device will read. */
    void beforeRead(DeviceStorage storage) {
        Copy copy = copies.isEmpty() ? null : copies.get(storage);
        if (copy != null) {
            copyBack(storage, copy);
        }
    }

    /** A kernel of the device will write, perhaps not all elements. */
    void beforeWrite(DeviceStorage storage) {
        beforeRead(storage);
        copies.remove(storage); // what still refers to it may have read it
    }

    private void copyBack(DeviceStorage storage, Copy copy) {
        if (mayBeChanged(storage, copy)) {
            storage.memory().copyFromHost(copy.bytes(storage), 0);
            storage.defined();
        } else {
            assert isUnchanged(storage, copy) : "a kernel changed memory without notice";
        }
    }

    /**
     * {@return whether a kernel may have written: memory that is new, was announced, or counted a
     * change} Other memory is not copied back, since another thread may change it meanwhile.
     */
    private boolean mayBeChanged(DeviceStorage storage, Copy copy) {
        return storage.period() == period
                || changed.containsKey(storage)
                || storage.version() != copy.version;
    }

    private static boolean isUnchanged(DeviceStorage storage, Copy copy) {
        Storage now =
                Storage.allocateOnHost(
                        storage.dtype(), storage.length(), false, ThreadState.current(), null);
        MemorySegment bytes = now.segment().asSlice(0, storage.memory().bytes());
        storage.memory().copyToHost(0, bytes);
        return bytes.mismatch(copy.bytes(storage)) == -1;
    }
}
