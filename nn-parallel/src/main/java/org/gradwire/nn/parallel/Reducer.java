package org.gradwire.nn.parallel;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.autograd.GraphTask;
import org.gradwire.autograd.HookHandle;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Averages the gradients of a module's parameters over a group, in each backward pass: hooks of the
 * parameters note their gradients, and a {@link PassReduction} averages them.
 *
 * <p>The first pass begins with the reverse order of registration; later ones have the order in
 * which the gradients of one member have arrived in the first.
 */
final class Reducer implements AutoCloseable {
    private final ProcessGroup group;
    private final List<Tensor> parameters;
    private final BucketLayout layout;
    private final CommunicationHook hook;
    private final List<HookHandle> handles = new ArrayList<>();
    private List<Bucket> buckets;
    private boolean isOrdered;
    private boolean isEnabled = true;
    private int root;
    private @Nullable PassReduction current;

    Reducer(
            ProcessGroup group,
            List<Tensor> parameters,
            BucketLayout layout,
            CommunicationHook hook) {
        this.group = group;
        this.parameters = parameters;
        this.layout = layout;
        this.hook = hook;
        this.buckets = layout.assign(layout.reverseOrder());
        for (int i = 0; i < parameters.size(); i++) {
            int number = i;
            handles.add(
                    AccumulateGrad.of(parameters.get(i))
                            .addPostAccumulateHook((_, task) -> onGradient(number, task)));
        }
    }

    ProcessGroup group() {
        return group;
    }

    CommunicationHook hook() {
        return hook;
    }

    List<Tensor> parameters() {
        return parameters;
    }

    List<Bucket> buckets() {
        return buckets;
    }

    synchronized boolean isEnabled() {
        return isEnabled;
    }

    /** Average in later passes, or leave their gradients as they are. */
    synchronized void enable(boolean wanted) {
        isEnabled = wanted;
    }

    /** Set the rank of the member whose order of gradients counts. */
    synchronized void root(int rank) {
        root = rank;
    }

    private void onGradient(int number, GraphTask task) {
        PassReduction pass = reduction(task);
        if (pass != null) {
            pass.onGradient(number);
        }
    }

    private synchronized @Nullable PassReduction reduction(GraphTask task) {
        if (!isEnabled) {
            return null;
        }
        PassReduction pass = current;
        if (pass == null || !pass.isOf(task)) {
            if (pass != null && !pass.isDone()) {
                throw new IllegalStateException(
                        "another backward pass computes gradients of the same DistributedDataParallel; run them in sequence");
            }
            pass = new PassReduction(this, task);
            current = pass;
            task.atEnd(pass::finish);
            var _ = task.completion().whenComplete(this::ended);
        }
        return pass;
    }

    /** Fail the other members too, which wait for averages that this one will not compute. */
    private void ended(@Nullable Void nothing, @Nullable Throwable failure) {
        synchronized (this) {
            current = null;
        }
        if (failure != null && group.failure().isEmpty()) {
            group.abort("a backward pass failed: " + failure.getMessage());
        }
    }

    /** Take part in a pass of the other members, with zeros. */
    void shadow() {
        new PassReduction(this, null).finish();
    }

    /** Use the order in which gradients have arrived in the first pass. */
    void order(int[] arrived) {
        int by;
        synchronized (this) {
            if (isOrdered) {
                return;
            }
            isOrdered = true;
            by = root;
        }
        int[] order = group.broadcast(Tensor.of(arrived), by).toIntArray();
        buckets = layout.assign(checked(order));
    }

    private int[] checked(int[] order) {
        boolean isPermutation =
                IntStream.of(order)
                                .filter(number -> number >= 0 && number < parameters.size())
                                .distinct()
                                .count()
                        == parameters.size();
        if (!isPermutation) {
            throw new IllegalStateException(
                    "member %d of %s sent an order of gradients that does not name each parameter once"
                            .formatted(root, group));
        }
        return order;
    }

    /** Remove the hooks. */
    @Override
    public void close() {
        handles.forEach(HookHandle::remove);
    }
}
