package org.gradwire.checkpoint;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The tensors of a member at one step, contiguous on the host.
 *
 * @param tensors by the names that they have in the checkpoint
 * @param rows of those that are not whole
 */
record StagedState(Map<String, Tensor> tensors, Map<String, Rows> rows) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    static StagedState empty() {
        return new StagedState(Map.of(), Map.of());
    }

    /**
     * Copy states, so that the program may change them.
     *
     * @param before an earlier result, no longer used. Its tensors are overwritten where types and
     *     shapes are equal: to touch fresh memory takes longer than to copy
     */
    static StagedState copyOf(Map<String, ? extends Stateful> states, StagedState before) {
        Map<String, Tensor> tensors = new TreeMap<>();
        Map<String, Rows> rows = new TreeMap<>();
        try (var _ = GradMode.noGrad()) {
            states.forEach((name, state) -> {
                requireName(name);
                Map<String, Rows> shards = state.rows();
                state.stateDict()
                        .forEach((key, tensor) -> {
                            String full = name + "/" + key;
                            Tensor old = before.tensors.get(full);
                            tensors.put(full, TensorScope.outside(() -> copy(full, tensor, old)));
                            Rows place = shards.get(key);
                            if (place != null) {
                                rows.put(full, requireRows(full, tensor, place));
                            }
                        });
            });
        }
        return new StagedState(tensors, rows);
    }

    /** {@return rows of a tensor of the whole checkpoint; null if they are not here} */
    @Nullable Tensor find(String name, Rows wanted) {
        Tensor tensor = tensors.get(name);
        if (tensor == null) {
            return null;
        }
        int count = tensor.dim() == 0 ? 1 : tensor.size(0);
        Rows held = rows.getOrDefault(name, new Rows(0, count, count));
        if (wanted.first() < held.first() || wanted.end() > held.end()) {
            return null;
        }
        return wanted.count() == count
                ? tensor
                : tensor.narrow(0, wanted.first() - held.first(), wanted.count());
    }

    static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' cannot be the name of a state; use 1 to 100 letters, digits, dots, hyphens and underscores"
                            .formatted(name));
        }
    }

    private static Tensor copy(String name, Tensor tensor, @Nullable Tensor old) {
        if (tensor.isSparse()) {
            throw new IllegalArgumentException(
                    "'%s' is sparse, and cannot be saved; save toDense() of it".formatted(name));
        }
        Tensor host = tensor.detach().to(Device.CPU).contiguous();
        if (!host.sharesStorage(tensor)) {
            return host;
        }
        if (old == null
                || old.dtype() != host.dtype()
                || !Arrays.equals(old.shape(), host.shape())) {
            return host.clone();
        }
        return old.copy_(host);
    }

    private static Rows requireRows(String name, Tensor tensor, Rows rows) {
        if (tensor.dim() == 0 || tensor.size(0) != rows.count()) {
            throw new IllegalArgumentException(
                    "'%s' has shape %s, which is not that of %s"
                            .formatted(name, Arrays.toString(tensor.shape()), rows));
        }
        return rows;
    }
}
