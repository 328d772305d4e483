package org.gradwire.nn.parallel;

import org.gradwire.autograd.GraphTask;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The averages of one backward pass.
 *
 * <p>A bucket is averaged when its gradients have arrived and all buckets before it are averaged,
 * so that all members average them in the same order: on a virtual thread while the pass computes
 * more gradients, and on the thread of the pass at its end. Parameters that this member has not
 * used count as zeros; they get the average if another member has used them.
 */
final class PassReduction {
    private final Reducer reducer;
    private final @Nullable GraphTask task;
    private final List<Bucket> buckets;
    private final int[] bucketOf;
    private final int[] positions;
    private final BitSet arrived = new BitSet(); // by parameter; confined to the pass
    private final List<Integer> order = new ArrayList<>();
    private final int[] missing; // gradients by bucket; confined to the pass
    private final Map<Integer, Tensor> unused = new HashMap<>(); // averages by parameter

    // Guarded by this.
    private int ready; // number of buckets from the first whose gradients have arrived
    private int next;
    private boolean isRunning;
    private @Nullable Throwable failure;

    /**
     * Create the reduction of a pass.
     *
     * @param task null for a member without inputs
     */
    PassReduction(Reducer reducer, @Nullable GraphTask task) {
        this.reducer = reducer;
        this.task = task;
        this.buckets = reducer.buckets();
        this.bucketOf = new int[reducer.parameters().size()];
        this.positions = new int[bucketOf.length];
        this.missing = new int[buckets.size()];
        for (int b = 0; b < missing.length; b++) {
            List<Integer> members = buckets.get(b).members();
            missing[b] = members.size();
            for (int position = 0; position < members.size(); position++) {
                bucketOf[members.get(position)] = b;
                positions[members.get(position)] = position;
            }
        }
    }

    boolean isOf(GraphTask pass) {
        return task == pass;
    }

    boolean isDone() {
        return task == null || task.completion().isDone();
    }

    /** Note that the gradient of a parameter was accumulated. */
    void onGradient(int number) {
        arrived.set(number);
        order.add(number);
        int bucket = bucketOf[number];
        buckets.get(bucket).set(positions[number], gradient(number));
        if (--missing[bucket] == 0 && bucket < buckets.size() - 1 && isFirstToStart()) {
            Thread.startVirtualThread(this::averageReady);
        }
    }

    private @Nullable Tensor gradient(int number) {
        return task == null ? null : task.gradient(reducer.parameters().get(number));
    }

    /** Count the buckets that are ready; {@return whether a thread must be started for them} */
    private synchronized boolean isFirstToStart() {
        while (ready < missing.length && missing[ready] == 0) {
            ready++;
        }
        boolean start = !isRunning && next < ready;
        isRunning |= start;
        return start;
    }

    /**
     * Average the buckets that are not averaged yet, and add the gradients of unused parameters.
     */
    void finish() {
        BitSet used = new BitSet();
        for (int number = 0; number < bucketOf.length; number++) {
            Tensor gradient = gradient(number);
            used.set(number, gradient != null);
            if (!arrived.get(number)) {
                order.add(number);
                buckets.get(bucketOf[number]).set(positions[number], gradient);
            }
        }
        averageRest();
        averageUnused(used);
        reducer.order(order.stream().mapToInt(Integer::intValue).toArray());
    }

    private void averageRest() {
        awaitThread();
        averageReady();
        Throwable thrown;
        synchronized (this) {
            thrown = failure;
        }
        switch (thrown) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(thrown);
        }
    }

    /** Make all buckets ready, and wait for the virtual thread, whose operations have timeouts. */
    private synchronized void awaitThread() {
        ready = missing.length;
        boolean interrupted = false;
        while (isRunning) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        isRunning = true;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void averageReady() {
        for (Bucket bucket; (bucket = take()) != null; ) {
            try {
                average(bucket);
            } catch (RuntimeException | Error e) {
                synchronized (this) {
                    failure = e;
                }
            }
        }
    }

    private synchronized @Nullable Bucket take() {
        if (failure == null && next < ready) {
            return buckets.get(next++);
        }
        isRunning = false;
        notifyAll();
        return null;
    }

    /** Average a bucket, and set the gradients of parameters that this member has used. */
    private void average(Bucket bucket) {
        try (var scope = TensorScope.open()) {
            List<Tensor> averages = bucket.average(reducer.group(), reducer.hook());
            for (int position = 0; position < averages.size() && task != null; position++) {
                Tensor parameter = bucket.parameter(position);
                Tensor average = averages.get(position);
                Tensor gradient = task.gradient(parameter);
                if (gradient == null) {
                    unused.put(bucket.members().get(position), scope.keep(average.clone()));
                } else if (gradient.isSparse()) {
                    task.replace(parameter, scope.keep(average));
                } else {
                    gradient.copy_(average);
                }
            }
        }
    }

    /** Add the averages of parameters that only other members have used. */
    private void averageUnused(BitSet used) {
        int[] flags = IntStream.range(0, bucketOf.length).map(i -> used.get(i) ? 1 : 0).toArray();
        int[] users = reducer.group().allReduce(Tensor.of(flags), ReduceOp.SUM).toIntArray();
        if (task != null) {
            unused.forEach((number, average) -> {
                if (users[number] > 0) {
                    task.accumulate(reducer.parameters().get(number), average);
                }
            });
        }
    }
}
