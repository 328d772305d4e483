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
    private Object period = new Object(); // a new one for each, unlike those of other threads

    /** A copy. */
    private record Copy(Storage onHost) {
        MemorySegment bytes(DeviceStorage storage) {
            return onHost.segment().asSlice(0, storage.memory().bytes());
        }
    }

    /** The thread enters a device. */
    void enter() {
        if (depth++ == 0) {
            period = new Object();
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

    /** {@return the identity of the period between entering and leaving that the thread is in} */
    Object period() {
        return period;
    }

    /** This thread will write to memory, or has, that may be older than this period. */
    void changing(DeviceStorage storage) {
        if (depth > 0) {
            changed.put(storage, true);
        }
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
        var copy = new Copy(onHost);
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
        if (mayBeChanged(storage)) {
            storage.memory().copyFromHost(copy.bytes(storage), 0);
            storage.defined();
        } else {
            assert isUnchanged(storage, copy) : "a kernel changed memory without notice";
        }
    }

    /**
     * {@return whether a kernel may have written: memory that is new, or that this thread changes}
     * Other memory is not copied back, since another thread may change it meanwhile.
     */
    @SuppressWarnings("ReferenceEquality") // the identity of a period
    private boolean mayBeChanged(DeviceStorage storage) {
        return storage.period() == period || changed.containsKey(storage);
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
