package org.gradwire.nn.remote;

import org.gradwire.spi.process.CodePath;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves a module's arguments to its device and its results to the host: tensors, and tensors that
 * are elements of the result. More deeply nested tensors are not moved, as in PyTorch.
 */
final class ForwardTensors {

    private ForwardTensors() {}

    /** Return the arguments with tensors moved to a device. */
    static List<@Nullable Object> moved(List<?> args, Device device) {
        List<@Nullable Object> moved = new ArrayList<>(args.size());
        args.forEach(arg -> moved.add(moved(arg, device)));
        return moved;
    }

    /**
     * Return the result with tensors moved to the host: itself, or the elements of a list, values
     * of a map or components of a record.
     */
    static @Nullable Object onHost(@Nullable Object result) {
        return switch (result) {
            case List<?> list -> moved(list, Device.CPU);
            case Map<?, ?> map -> {
                Map<@Nullable Object, @Nullable Object> all = new LinkedHashMap<>();
                map.forEach((key, value) -> all.put(key, moved(value, Device.CPU)));
                yield all;
            }
            case Record made -> withComponentsOnHost(made);
            case null, default -> moved(result, Device.CPU);
        };
    }

    private static @Nullable Object moved(@Nullable Object value, Device device) {
        return value instanceof Tensor tensor ? tensor.to(device) : value;
    }

    private static Record withComponentsOnHost(Record made) {
        RecordComponent[] components = made.getClass().getRecordComponents();
        var types = new Class<?>[components.length];
        var values = new @Nullable Object[components.length];
        boolean changed = false;
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                Object value = components[i].getAccessor().invoke(made);
                values[i] = moved(value, Device.CPU);
                changed |= value instanceof Tensor tensor && !tensor.device().isCpu();
            }
            return changed ? made.getClass().getConstructor(types).newInstance(values) : made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "the tensors of a %s cannot be brought to the host: %s; let it be a record marked @WireValue that is public%s"
                            .formatted(
                                    made.getClass().getName(),
                                    e,
                                    CodePath.of(made.getClass()).inExportedPackage()),
                    e);
        }
    }
}
