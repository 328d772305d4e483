package org.gradwire.tensor.storage;

import org.gradwire.spi.CodePath;
import org.gradwire.spi.Setting;
import org.gradwire.spi.device.DeviceProvider;
import org.gradwire.spi.device.DeviceProvider.MemoryUse;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.sparse.SparseTensors;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The available devices, and the choice of an operator's device. */
public final class Devices {
    private final Map<String, DeviceProvider> providers;
    private final SortedSet<String> types;
    private volatile boolean used; // before, metrics must not load a driver

    private Devices(Map<String, DeviceProvider> providers) {
        this.providers = providers;
        var all = new TreeSet<>(List.of(Device.CPU.type(), "cuda"));
        all.addAll(providers.keySet());
        this.types = Collections.unmodifiableSortedSet(all);
    }

    private static final class Installed {
        static final Devices DEVICES =
                of(ServiceLoader.load(DeviceProvider.class, Devices.class.getClassLoader()));
    }

    /** {@return the devices of this JVM} */
    public static Devices installed() {
        return Installed.DEVICES;
    }

    /** Return the devices of some providers. */
    static Devices of(Iterable<DeviceProvider> found) {
        Map<String, DeviceProvider> byType = new TreeMap<>();
        for (DeviceProvider provider : found) {
            DeviceProvider twin = byType.put(provider.type(), provider);
            if (twin != null) {
                throw new IllegalStateException(
                        "devices of type '%s' are provided twice, by %s and by %s; leave one out"
                                .formatted(
                                        provider.type(),
                                        twin.getClass().getName(),
                                        provider.getClass().getName()));
            }
        }
        return new Devices(byType);
    }

    /** {@return the types that can be parsed, whether or not such devices exist} */
    public SortedSet<String> types() {
        return types;
    }

    /** {@return a sentence about the devices of a type} */
    public String describe(String type) {
        DeviceProvider provider = providers.get(type);
        return provider != null
                ? provider.description()
                : type.equals(Device.CPU.type())
                        ? "the host"
                        : "no module on the %s provides devices of type '%s'"
                                .formatted(CodePath.of(Devices.class), type);
    }

    /** {@return the use of each device's memory by this JVM; nothing before one was used} */
    public Map<Device, MemoryUse> memoryUse() {
        Map<Device, MemoryUse> uses = new LinkedHashMap<>();
        if (!used) {
            return uses;
        }
        providers.forEach((type, provider) -> {
            for (int i = 0; i < provider.count(); i++) {
                uses.put(new Device(type, i), provider.memoryUse(i));
            }
        });
        return uses;
    }

    /** {@return the settings of all providers} */
    public List<Setting> settings() {
        return providers.values().stream()
                .flatMap(provider -> provider.settings().stream())
                .toList();
    }

    /** {@return the number of devices of a type} */
    public int count(String type) {
        DeviceProvider provider = providers.get(type);
        return provider != null ? provider.count() : type.equals(Device.CPU.type()) ? 1 : 0;
    }

    /**
     * Return the provider of an existing device other than the host.
     *
     * @throws IllegalArgumentException when it does not exist
     */
    public DeviceProvider provider(Device device) {
        used = true;
        DeviceProvider provider = providers.get(device.type());
        if (provider == null) {
            throw new IllegalArgumentException(
                    "there is no %s: nothing on the %s provides devices of type '%s'; provided are %s"
                            .formatted(
                                    device,
                                    CodePath.of(Devices.class),
                                    device.type(),
                                    providers.keySet()));
        }
        if (device.index() >= provider.count()) {
            throw new IllegalArgumentException(
                    "%s error: invalid device ordinal: there is no %s, but %d device(s) from %s:0 on%s"
                            .formatted(
                                    device.type().toUpperCase(Locale.ROOT),
                                    device,
                                    provider.count(),
                                    device.type(),
                                    provider.count() == 0 ? "; " + provider.description() : ""));
        }
        return provider;
    }

    /** Run kernels on a device, on which they also allocate. */
    public static <T> T on(Device device, Supplier<T> kernels) {
        ThreadState state = ThreadState.current();
        Device before = state.device;
        if (before.equals(device)) {
            return kernels.get();
        }
        return device.isCpu()
                ? onHost(kernels, state, before)
                : onDevice(device, kernels, state, before);
    }

    private static <T> T onHost(Supplier<T> kernels, ThreadState state, Device before) {
        state.device = Device.CPU;
        try {
            return kernels.get();
        } finally {
            state.device = before;
        }
    }

    private static <T> T onDevice(
            Device device, Supplier<T> kernels, ThreadState state, Device before) {
        var _ = installed().provider(device); // it exists
        state.device = device;
        state.hostCopies.enter();
        boolean done = false;
        try {
            T result = kernels.get();
            done = true;
            return result;
        } finally {
            state.device = before;
            state.hostCopies.leave(done);
        }
    }

    /** Run an operator's kernels on a device; its name is that of host copies it makes. */
    public static <T> T on(Device device, String operator, Supplier<T> kernels) {
        ThreadState state = ThreadState.current();
        String before = state.operator;
        state.operator = operator;
        try {
            return on(device, kernels);
        } finally {
            state.operator = before;
        }
    }

    /** Wait until a device has done all work of this JVM; the host always has. */
    public static void synchronize(Device device) {
        if (!device.isCpu()) {
            installed().provider(device).synchronize(device.index());
        }
    }

    /**
     * Return the device of all tensors among some arguments; that of the thread when there is none.
     * Host tensors of one element may be mixed with tensors on a device.
     *
     * @throws IllegalArgumentException when there are two
     */
    public static Device common(@Nullable Object... args) {
        Device common = null;
        boolean numbers = false;
        for (Object arg : args) {
            if (arg instanceof Tensor tensor) {
                boolean number = isNumber(tensor);
                common = number ? common : joined(common, tensor);
                numbers |= number;
            } else if (arg instanceof List<?> list) {
                for (Object element : list) {
                    common = element instanceof Tensor tensor ? joined(common, tensor) : common;
                }
            }
        }
        return common != null ? common : numbers ? Device.CPU : ThreadState.current().device;
    }

    private static Device joined(@Nullable Device common, Tensor tensor) {
        Device device = tensor.device();
        if (common != null && !common.equals(device)) {
            throw different(common, device);
        }
        return device;
    }

    private static IllegalArgumentException different(Device one, Device other) {
        return new IllegalArgumentException(
                "Expected all tensors to be on the same device, but found at least two devices, %s and %s!"
                        .formatted(one, other));
    }

    /** {@return whether a tensor is a single number on the host, which goes with any device} */
    private static boolean isNumber(Tensor tensor) {
        return TensorAccess.dims(tensor).length == 0 && tensor.device().isCpu();
    }

    /** {@return the arguments, with copies on a device of the single numbers that are not} */
    public static @Nullable Object[] gathered(@Nullable Object[] args, Device device) {
        @Nullable Object[] gathered = args.clone();
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof Tensor tensor && !tensor.device().equals(device)) {
                gathered[i] = copy(tensor.detach(), device);
            }
        }
        return gathered;
    }

    /**
     * Return a tensor on the device of another: itself, or a copy of a single number.
     *
     * @throws IllegalArgumentException when it is on another device
     */
    public static Tensor beside(Tensor target, Tensor other) {
        Device device = target.device();
        if (other.device().equals(device)) {
            return other;
        }
        if (!isNumber(other)) {
            throw different(device, other.device());
        }
        return copy(other, device);
    }

    /** Change a tensor in place, on its device. */
    public static Tensor change(Tensor target, Consumer<Tensor> change) {
        return on(
                target.device(),
                () -> {
                    if (TensorAccess.storage(target) instanceof DeviceStorage storage) {
                        ThreadState.current().hostCopies.changing(storage);
                    }
                    change.accept(target);
                    return target;
                });
    }

    /** Change a tensor in place by another one that is on its device, or a single number. */
    public static Tensor change(Tensor target, Tensor other, BiConsumer<Tensor, Tensor> change) {
        Tensor near = beside(target, other);
        return change(target, changed -> change.accept(changed, near));
    }

    /** Return the tensor itself when it is on a device, else a contiguous copy there. */
    public static Tensor copy(Tensor x, Device device) {
        Device from = x.device();
        if (from.equals(device)) {
            return x;
        }
        if (TensorAccess.storage(x) instanceof SparseStorage held) {
            Tensor indices = copy(held.indices(), device);
            Tensor values = copy(held.values(), device);
            return on(
                    device,
                    () ->
                            SparseTensors.sparseCoo(
                                    indices, values, held.coalesced(), TensorAccess.dims(x)));
        }
        Tensor dense = on(from, () -> Elementwise.contiguous(x));
        Tensor result = on(device, () -> TensorAccess.fresh(x.dtype(), TensorAccess.dims(x)));
        if (x.numel() > 0) {
            transfer(dense, result);
        }
        return result;
    }

    private static void transfer(Tensor from, Tensor to) {
        long elementBytes = from.dtype().bytes();
        long offset = TensorAccess.offset(from) * elementBytes;
        long bytes = from.numel() * elementBytes;
        if (!(TensorAccess.storage(from) instanceof DeviceStorage source)) {
            DeviceStorage target = (DeviceStorage) TensorAccess.storage(to);
            target.target()
                    .copyFromHost(TensorAccess.storage(from).segment().asSlice(offset, bytes), 0);
        } else if (!(TensorAccess.storage(to) instanceof DeviceStorage target)) {
            source.source()
                    .copyToHost(offset, TensorAccess.storage(to).segment().asSlice(0, bytes));
        } else if (source.device().type().equals(target.device().type())) {
            source.source().copyTo(offset, target.target(), 0, bytes);
        } else {
            transfer(copy(from, Device.CPU), to);
        }
    }
}
