package org.gradwire.optim.lr;

import org.gradwire.optim.LearningRates;
import org.gradwire.optim.Schedulable;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reduces the learning rates of an optimizer when a metric, such as the loss, has stopped
 * improving. Not thread-safe.
 *
 * {@snippet :
 * var scheduler =
 *         new ReduceLROnPlateau(optimizer, ReduceLROnPlateau.options().factor(0.5).patience(3));
 * scheduler.step(validationLoss);
 * }
 */
public final class ReduceLROnPlateau {
    private final Schedulable optimizer;
    private final Options options;
    private double best;
    private int badEpochs;
    private int cooldownLeft;
    private int lastEpoch;

    /** Direction of improvement of the metric. */
    public enum Mode {
        /** Lower values, as for a loss. */
        MIN,
        /** Higher values, as for an accuracy. */
        MAX
    }

    /** Measure of the threshold. */
    public enum ThresholdMode {
        /** A fraction of the best value so far. */
        REL,
        /** A difference in the metric's own unit. */
        ABS
    }

    /**
     * The options of the scheduler; see {@link #options()}.
     *
     * @param factor the factor of a reduction, less than 1
     * @param patience the epochs without improvement that are tolerated
     * @param threshold the minimum change that counts as an improvement
     * @param cooldown the epochs after a reduction that do not count
     * @param minLr the minimum rate
     * @param eps the minimum change of a rate; smaller reductions are skipped
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

        /** Return the same options with another cooldown. */
        public Options cooldown(int value) {
            return new Options(mode, factor, patience, threshold, thresholdMode, value, minLr, eps);
        }

        /** Return the same options with another minimum rate. */
        public Options minLr(double value) {
            return new Options(
                    mode, factor, patience, threshold, thresholdMode, cooldown, value, eps);
        }

        /** Return the same options with another minimum change of a rate. */
        public Options eps(double value) {
            return new Options(
                    mode, factor, patience, threshold, thresholdMode, cooldown, minLr, value);
        }

        /** Return the same options with another threshold. */
        public Options threshold(double value, ThresholdMode measure) {
            return new Options(mode, factor, patience, value, measure, cooldown, minLr, eps);
        }
    }

    /** Return PyTorch's defaults: a tenth after more than 10 epochs without a lower metric. */
    public static Options options() {
        return new Options(Mode.MIN, 0.1, 10, 1e-4, ThresholdMode.REL, 0, 0, 1e-8);
    }

    /** Create a scheduler with the default options. */
    public ReduceLROnPlateau(Schedulable optimizer) {
        this(optimizer, options());
    }

    /** Create a scheduler. The rates stay as they are until the first reduction. */
    public ReduceLROnPlateau(Schedulable optimizer, Options options) {
        this.optimizer = optimizer;
        this.options = options;
        this.best =
                options.mode() == Mode.MIN ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    /** End an epoch with its metric. NaN is never an improvement. */
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
        LearningRates now = optimizer.learningRates();
        List<Double> lrs = new ArrayList<>();
        for (double lr : now.lrs()) {
            double reduced = Math.max(lr * options.factor(), options.minLr());
            lrs.add(lr - reduced > options.eps() ? reduced : lr);
        }
        optimizer.learningRates(new LearningRates(lrs, now.momenta()));
    }

    /** {@return the number of epochs so far} */
    public int lastEpoch() {
        return lastEpoch;
    }

    /** {@return the learning rates of the groups} */
    public List<Double> lastLrs() {
        return optimizer.learningRates().lrs();
    }

    /** {@return the state so far, as tensors; the map is modifiable} */
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        state.put("best", Tensor.scalar(DType.FLOAT64, best));
        state.put("num_bad_epochs", Tensor.scalar(DType.INT64, badEpochs));
        state.put("cooldown_counter", Tensor.scalar(DType.INT64, cooldownLeft));
        state.put("last_epoch", Tensor.scalar(DType.INT64, lastEpoch));
        return state;
    }

    /**
     * Load a saved state. The optimizer's rates do not change, since its own state holds them.
     *
     * @throws IllegalArgumentException when the state is invalid; nothing was changed
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
