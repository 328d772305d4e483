package org.gradwire.nn.wire;

import org.gradwire.nn.Module;
import org.gradwire.nn.limit.ConstructionLimit;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link ModuleState} that came in a message. It is read before its module is made, so that the
 * module can be no larger than what was sent for it.
 *
 * @param modes of the module and all below it, as {@link ModuleState#modules}
 */
record ReceivedState(List<Boolean> modes, List<Part> parts) {
    /** What small modules, and those that a constructor makes and drops, may take in any case. */
    private static final long SLACK_BYTES = 16 << 20;

    /** A parameter or buffer. */
    private record Part(String path, boolean requiresGrad, @Nullable Object value) {}

    static ReceivedState read(Input in) {
        int count = in.readCount(in.remaining(), ConstructionLimit.MODULE_BYTES);
        List<Boolean> modes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            modes.add(in.readBoolean());
        }
        int size = in.readCount(in.remaining(), ConstructionLimit.TENSOR_BYTES);
        List<Part> parts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            parts.add(new Part(in.readString(), in.readBoolean(), in.readValue()));
        }
        return new ReceivedState(modes, parts);
    }

    /**
     * {@return the bytes that the constructor of the module may take: twice what came, and some}
     */
    long mostBytes() {
        long bytes =
                (long) modes.size() * ConstructionLimit.MODULE_BYTES
                        + (long) parts.size() * ConstructionLimit.TENSOR_BYTES;
        for (Part part : parts) {
            bytes += part.value instanceof Tensor value ? heldBytes(value) : 0;
        }
        return 2 * bytes + SLACK_BYTES;
    }

    /** Return the bytes of the elements that came, of which dimensions may share some. */
    private static long heldBytes(Tensor value) {
        if (value.isSparse()) {
            return 0;
        }
        long count = Math.min(value.numel(), value.storage().length());
        return count * Math.max(value.dtype().bytes(), Float.BYTES);
    }

    /**
     * Give a module the state that came.
     *
     * @throws DecodingException when it is that of a module of another structure
     */
    void giveTo(ModuleState state) {
        List<Module> modules = state.modules();
        if (modes.size() != modules.size()) {
            throw new DecodingException(
                    "the state of %d modules came for %s, which has %d"
                            .formatted(modes.size(), state.name(), modules.size()));
        }
        for (int i = 0; i < modes.size(); i++) {
            modules.get(i).train(modes.get(i)); // children follow, with their own modes
        }
        if (parts.size() != state.tensors().size()) {
            throw new DecodingException(
                    "%d parameters and buffers came for %s, which has %s"
                            .formatted(parts.size(), state.name(), state.tensors().keySet()));
        }
        Map<String, Tensor> missing = new LinkedHashMap<>(state.tensors());
        try (var _ = GradMode.noGrad()) {
            parts.forEach(part -> give(part, missing, state.name()));
        }
    }

    private static void give(Part part, Map<String, Tensor> missing, String name) {
        Tensor tensor = missing.remove(part.path);
        if (tensor == null) {
            throw new DecodingException(
                    "parameter '%s' came for %s, which needs %s"
                            .formatted(part.path, name, missing.keySet()));
        }
        if (!(part.value instanceof Tensor value) || !fits(tensor, value)) {
            throw new DecodingException(
                    "what came for parameter '%s' of %s is no %s of shape %s"
                            .formatted(
                                    part.path,
                                    name,
                                    tensor.dtype(),
                                    Arrays.toString(tensor.shape())));
        }
        give(tensor, value);
        tensor.requiresGrad(part.requiresGrad);
    }

    private static boolean fits(Tensor tensor, Tensor value) {
        boolean types =
                value.dtype() == tensor.dtype()
                        || (value.dtype().isFloating() && tensor.dtype().isFloating());
        return types && !value.isSparse() && Arrays.equals(value.shape(), tensor.shape());
    }

    /** Give a tensor the elements, type and device of what came. */
    private static void give(Tensor tensor, Tensor value) {
        if (value.dtype() == tensor.dtype() && value.device().equals(tensor.device())) {
            tensor.copy_(value);
        } else {
            tensor.data(value.copy());
        }
    }
}
