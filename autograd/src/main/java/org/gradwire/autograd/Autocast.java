package org.gradwire.autograd;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.operator.AutocastPolicy;
import org.gradwire.tensor.storage.AutocastMode;
import org.gradwire.tensor.storage.MemoryScope;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Automatic mixed precision: in this scope matrix products and convolutions run in float16 or
 * bfloat16, and what needs the range of float32, such as softmax, norms and losses, in float32. The
 * counterpart of {@code torch.autocast}. Off by default.
 *
 * {@snippet :
 * Tensor loss;
 * try (var _ = Autocast.enable(DType.BFLOAT16)) {
 *     loss = model.forward(batch).crossEntropy(target);
 * }
 * loss.backward();
 * optimizer.step();
 * }
 *
 * <p>Parameters stay in float32, and so do their gradients; a parameter that is recorded is
 * converted once for all its uses in a scope. Tensors of float64 and of integers are left as they
 * are, and so are operators in place. Which operator takes which type is PyTorch's <a
 * href="https://docs.pytorch.org/docs/stable/amp.html#cuda-op-specific-behavior">table for
 * CUDA</a>, on every device. With float16, whose smallest numbers are large, use a {@code
 * GradScaler}.
 *
 * <p>A scope belongs to its thread: functions that it calls on other workers, and backward passes,
 * run without. Close it before {@code backward}. An {@link AutogradFunction} gets a gradient of the
 * type of its result, which its backward converts, or opens a scope for.
 */
public final class Autocast implements AutoCloseable {
    private final ThreadState state;
    private final @Nullable AutocastMode before;
    private final @Nullable MemoryScope scopeBefore;

    private Autocast(@Nullable AutocastMode mode) {
        state = ThreadState.current();
        before = state.autocast;
        scopeBefore = state.autocastScope;
        state.autocast = mode;
        state.autocastScope = state.scope;
    }

    /**
     * Convert on this thread until the scope is closed.
     *
     * @param dtype {@link DType#FLOAT16} or {@link DType#BFLOAT16}
     */
    public static Autocast enable(DType dtype) {
        if (!DTypeAccess.isReduced(dtype)) {
            throw new IllegalArgumentException(
                    "autocast to %s; expected float16 or bfloat16".formatted(dtype));
        }
        return new Autocast(new AutocastMode(DTypeAccess.elements(dtype).type()));
    }

    /** Convert nothing on this thread until the scope is closed. */
    public static Autocast disable() {
        return new Autocast(null);
    }

    /** {@return the type of products on this thread; empty where nothing is converted} */
    public static Optional<DType> dtype() {
        AutocastMode mode = ThreadState.current().autocast;
        return mode == null ? Optional.empty() : Optional.of(AutocastPolicy.dtype(mode));
    }

    /** Restore the previous mode. Must be called on the thread that opened the scope. */
    @Override
    public void close() {
        state.autocast = before;
        state.autocastScope = scopeBefore;
    }
}
