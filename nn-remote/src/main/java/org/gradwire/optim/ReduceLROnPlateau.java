package org.gradwire.optim;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reduces the learning rates of an optimizer when a figure, such as the loss, has not become better
 * for some epochs. Belongs to one thread at a time.
 *
 * {@snippet :
 * var scheduler =
 *         new ReduceLROnPlateau(optimizer, ReduceLROnPlateau.options().factor(0.5).patience(3));
 * scheduler.step(validationLoss);
 * }
 */
public final class ReduceLROnPlateau {
    private final Scheduled optimizer;
    private final Options options;
    private double best;
    private int badEpochs;
    private int cooldownLeft;
    private int lastEpoch;

    /** What is better. */
    public enum Mode {
        /** A lower figure, such as a loss. */
        MIN,
        /** A higher figure, such as an accuracy. */
        MAX
    }

    /** What a threshold is measured by. */
    public enum ThresholdMode {
        /** The best figure so far. */
        REL,
        /** One. */
        ABS
    }

    /**
     * When to reduce the rates, and how; {@link #options()} makes one.
     *
     * @param factor of a rate when it is reduced, less than 1
     * @param patience epochs without an improvement that are let pass
     * @param threshold by how much a figure must be better to count
     * @param cooldown epochs after a reduction in which nothing counts
     * @param minLr what no rate is reduced below
     * @param eps a rate that would change by no more than this stays
     */
    public record Options(
            Mode mode,
            double factor,
            int patience,
            double threshold,
            ThresholdMode thresholdMode,
            int cooldown,
            double minLr,
            double eps) {

        /** Checks the factor. */
        public Options {
            if (!(factor < 1)) {
                throw new IllegalArgumentException("Factor should be < 1.0. It is " + factor);
            }
        }

        /** Return the same options with another mode. */
        public Options mode(Mode value) {
            return new Options(
                    value, factor, patience, threshold, thresholdMode, cooldown, minLr, eps);
        }

        /** Return the same options with another factor. */
        public Options factor(double value) {
            return new Options(
                    mode, value, patience, threshold, thresholdMode, cooldown, minLr, eps);
        }

        /** Return the same options with another patience. */
        public Options patience(int value) {
            return new Options(mode, factor, value, threshold, thresholdMode, cooldown, minLr, eps);
        }

        /** Return the same options with another number of epochs that do not count. */
        public Options cooldown(int value) {
            return new Options(mode, factor, patience, threshold, thresholdMode, value, minLr, eps);
        }

        /** Return the same options with another lowest rate. */
        public Options minLr(double value) {
            return new Options(
                    mode, factor, patience, threshold, thresholdMode, cooldown, value, eps);
        }

        /** Return the same options with another threshold. */
        public Options threshold(double value, ThresholdMode measure) {
            return new Options(mode, factor, patience, value, measure, cooldown, minLr, eps);
        }
    }

    /** Return PyTorch's defaults: a tenth after more than 10 epochs without a lower figure. */
    public static Options options() {
        return new Options(Mode.MIN, 0.1, 10, 1e-4, ThresholdMode.REL, 0, 0, 1e-8);
    }

    /** Create a scheduler with the default options. */
    public ReduceLROnPlateau(Scheduled optimizer) {
        this(optimizer, options());
    }

    /** Create a scheduler. The rates stay as they are until the first reduction. */
    public ReduceLROnPlateau(Scheduled optimizer, Options options) {
        this.optimizer = optimizer;
        this.options = options;
        this.best =
                options.mode() == Mode.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    /** End an epoch, of which the figure is known now. NaN is never better. */
    public void step(double metric) {
        lastEpoch++;
        if (isBetter(metric)) {
            best = metric;
            badEpochs = 0;
        } else {
            badEpochs++;
        }
        if (cooldownLeft > 0) {
            cooldownLeft--;
            badEpochs = 0;
        }
        if (badEpochs > options.patience()) {
            reduce();
            cooldownLeft = options.cooldown();
            badEpochs = 0;
        }
    }

    private boolean isBetter(double metric) {
        double threshold = options.threshold();
        boolean relative = options.thresholdMode() == ThresholdMode.REL;
        return switch (options.mode()) {
            case MIN -> metric < (relative ? best * (1 - threshold) : best - threshold);
            case MAX -> metric > (relative ? best * (1 + threshold) : best + threshold);
        };
    }

    private void reduce() {
        Rates now = optimizer.rates();
        List<Double> lrs = new ArrayList<>();
        for (double lr : now.lrs()) {
            double reduced = Math.max(lr * options.factor(), options.minLr());
            lrs.add(lr - reduced > options.eps() ? reduced : lr);
        }
        optimizer.rates(new Rates(lrs, now.momenta()));
    }

    /** {@return the number of epochs so far} */
    public int lastEpoch() {
        return lastEpoch;
    }

    /** {@return the learning rates of the groups} */
    public List<Double> lastLrs() {
        return optimizer.rates().lrs();
    }

    /** {@return what was seen so far, as tensors; the map may be changed} */
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        state.put("best", Tensor.scalar(DType.FLOAT64, best));
        state.put("num_bad_epochs", Tensor.scalar(DType.INT64, badEpochs));
        state.put("cooldown_counter", Tensor.scalar(DType.INT64, cooldownLeft));
        state.put("last_epoch", Tensor.scalar(DType.INT64, lastEpoch));
        return state;
    }

    /**
     * Go on from a saved state. The rates of the optimizer stay as they are: its own state holds
     * them.
     *
     * @throws IllegalArgumentException when it is no such state; nothing was changed
     */
    public void loadStateDict(Map<String, Tensor> state) {
        double savedBest = SchedulerState.get(state, "best").item();
        int bad = (int) SchedulerState.get(state, "num_bad_epochs").itemAsLong();
        int cooldown = (int) SchedulerState.get(state, "cooldown_counter").itemAsLong();
        lastEpoch = (int) SchedulerState.get(state, "last_epoch").itemAsLong();
        best = savedBest;
        badEpochs = bad;
        cooldownLeft = cooldown;
    }
}
