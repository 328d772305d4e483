package org.gradwire.tensor.storage;

import org.gradwire.spi.device.DeviceMemory;
import org.gradwire.spi.device.DevicePeer;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.spi.device.DeviceSharing;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Map;
import java.util.TreeMap;

/** Memory of tensors on devices that another process of the machine copies. */
public final class SharedMemory {
    private final DeviceStorage storage;
    private final byte[] exported;

    private SharedMemory(DeviceSharing sharing, DeviceStorage storage, long offset, long bytes) {
        this.storage = storage;
        this.exported = sharing.exported(storage.source(), offset, bytes);
    }

    /** {@return the types of devices that can share memory between processes} */
    public static Map<String, DeviceSharing> types() {
        Map<String, DeviceSharing> types = new TreeMap<>();
        for (String type : Device.types()) {
            if (Device.count(type) > 0 && !type.equals(Device.CPU.type())) {
                DeviceProvider provider = Devices.installed().provider(new Device(type, 0));
                provider.sharing().ifPresent(sharing -> types.put(type, sharing));
            }
        }
        return types;
    }

    /** {@return memory of a device to export as a test, whose contents do not matter} */
    public static DeviceMemory probe(String type, long bytes) {
        return Devices.installed().provider(new Device(type, 0)).allocate(0, bytes);
    }

    /** Export elements of a tensor, from its first one on; retained until {@link #release}. */
    public static SharedMemory of(DeviceSharing sharing, Tensor tensor, long count) {
        DeviceStorage storage = (DeviceStorage) TensorAccess.storage(tensor);
        storage.retain();
        try {
            long bytes = tensor.dtype().bytes();
            return new SharedMemory(
                    sharing, storage, TensorAccess.offset(tensor) * bytes, count * bytes);
        } catch (RuntimeException e) {
            storage.release();
            throw e;
        }
    }

    /** {@return the description for the other process} */
    public byte[] exported() {
        return exported;
    }

    /** The other process has copied; the memory is released, also where the reply is malformed. */
    public void copied(DevicePeer peer, byte[] answer) {
        try {
            peer.copied(storage.memory(), answer);
        } finally {
            release();
        }
    }

    /** Release the memory; called once. */
    public void release() {
        storage.release();
    }

    /** A copy of another process's memory, and the reply to its exporter. */
    public record Imported(Storage storage, byte[] answer) {}

    /** Return a copy, on a device, of the memory that a peer exported. */
    public static Imported imported(
            DevicePeer peer, byte[] exported, DType dtype, Device device, int count) {
        peer.check(exported, (long) count * dtype.bytes());
        return CurrentDevice.on(
                device,
                () -> {
                    ThreadState state = ThreadState.current();
                    DeviceStorage storage = DeviceStorage.allocate(dtype, count, state, false);
                    return new Imported(storage, peer.copyFrom(exported, storage.target()));
                });
    }
}
