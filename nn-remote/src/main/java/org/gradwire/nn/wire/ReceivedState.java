package org.gradwire.nn.wire;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.Module;
import org.gradwire.nn.internal.ConstructionLimit;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Input;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A received {@link ModuleState}. It is decoded before its module is created, so that the size of
 * the state bounds that of the module.
 *
 * @param modes the training modes of the module and its descendants, as {@link ModuleState#modules}
 */
record ReceivedState(List<Boolean> modes, List<Part> parts) {
    /** The allowance for small modules and temporary ones of constructors. */
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
     * {@return the memory limit of the module's constructor in bytes: twice the received size plus
     * an allowance}
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

    /** Return the size of the received elements in bytes; dimensions may share elements. */
    private static long heldBytes(Tensor value) {
        if (value.isSparse()) {
            return 0;
        }
        long count = Math.min(value.numel(), value.storageLength());
        return count * Math.max(value.dtype().bytes(), Float.BYTES);
    }

    /**
     * Load the received state into a module.
     *
     * @throws DecodingException when the structures differ
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
                    "the value sent for parameter '%s' of %s is not of type %s and shape %s"
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

    /** Set the elements, type and device of a tensor to the received ones. */
    private static void give(Tensor tensor, Tensor value) {
        if (value.dtype() == tensor.dtype() && value.device().equals(tensor.device())) {
            tensor.copy_(value);
        } else {
            tensor.data(value.copy());
        }
    }
}
