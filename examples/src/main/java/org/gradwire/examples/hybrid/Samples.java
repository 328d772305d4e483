package org.gradwire.examples.hybrid;

import org.gradwire.tensor.Tensor;

import java.util.random.RandomGenerator;

/** Bags of items to classify: each item has a class, and the most frequent is the bag's. */
final class Samples {
    static final int ITEMS = 200;
    static final int CLASSES = 4;
    private static final int BAG = 9;

    private Samples() {}

    /**
     * A batch of bags.
     *
     * @param items shape (n, items in a bag)
     * @param labels classes; shape (n)
     */
    record Batch(Tensor items, Tensor labels) {

        /** {@return one trainer's part of the batch} */
        Batch part(int trainer, int trainers) {
            int length = labels.size(0) / trainers;
            return new Batch(
                    items.narrow(0, trainer * length, length),
                    labels.narrow(0, trainer * length, length));
        }
    }

    /** Draw {@code n} bags. */
    static Batch batch(RandomGenerator random, int n) {
        long[] items = random.longs((long) n * BAG, 0, ITEMS).toArray();
        long[] labels = new long[n];
        for (int bag = 0; bag < n; bag++) {
            int[] votes = new int[CLASSES];
            for (int i = 0; i < BAG; i++) {
                votes[(int) (items[bag * BAG + i] % CLASSES)]++;
            }
            for (int c = 1; c < CLASSES; c++) {
                labels[bag] = votes[c] > votes[(int) labels[bag]] ? c : labels[bag];
            }
        }
        return new Batch(Tensor.of(items, n, BAG), Tensor.of(labels));
    }
}
