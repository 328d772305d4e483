package org.gradwire.optim;

import org.gradwire.autograd.GradMode;
import org.gradwire.optim.StrongWolfeSearch.Point;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Limited-memory BFGS: steps along the gradient times an approximation of the inverse Hessian from
 * the last steps. A step evaluates the loss several times, so it takes a closure, and updates all
 * parameters together; so this class is not an {@link Optimizer}, has one group, and runs on one
 * worker.
 *
 * {@snippet :
 * var optimizer = new LBFGS(model.parameters(), LBFGS.options().strongWolfe(true));
 * optimizer.step(() -> {
 *     optimizer.zeroGrad();
 *     Tensor loss = loss(model);
 *     loss.backward();
 *     return loss;
 * });
 * }
 *
 * <p>It keeps two vectors of the size of all parameters for each step of its history. Not
 * thread-safe.
 *
 * @see <a
 *     href="https://pytorch.org/docs/1.13/generated/torch.optim.LBFGS.html">torch.optim.LBFGS</a>
 */
public final class LBFGS implements Schedulable {
    static final DType NUMBERS = DType.FLOAT64;

    private static final String STATE = "state.0.";

    private final ParameterGroup<Options> group;
    private final FlatParameters flat;
    private CurvatureHistory history = new CurvatureHistory();
    private long iterations;
    private long evaluations;
    private @Nullable Tensor direction;
    private @Nullable Tensor previousGradient;
    private double length;
    private double previousLoss;

    /**
     * The options of the optimizer; see {@link #options}.
     *
     * @param lr the first step length of a search; without search, the factor of each direction
     * @param maxIter the maximum number of directions of a step
     * @param maxEval the maximum number of loss evaluations of a step
     * @param toleranceGrad a step ends when no element of the gradient is larger
     * @param toleranceChange a step ends when neither parameters nor loss change by more
     * @param historySize the number of previous directions kept
     * @param strongWolfe whether to search along each direction for a step length
     */
    public record Options(
            double lr,
            int maxIter,
            int maxEval,
            double toleranceGrad,
            double toleranceChange,
            int historySize,
            boolean strongWolfe)
            implements OptimizerOptions<Options> {

        /** Validates the options. */
        public Options {
            OptionChecks.atLeastZero("learning rate", lr);
            OptionChecks.positive("maxIter", maxIter);
            OptionChecks.positive("maxEval", maxEval);
            OptionChecks.atLeastZero("toleranceGrad", toleranceGrad);
            OptionChecks.atLeastZero("toleranceChange", toleranceChange);
            OptionChecks.positive("historySize", historySize);
        }

        @Override
        public Options lr(double rate) {
            return new Options(
                    rate,
                    maxIter,
                    maxEval,
                    toleranceGrad,
                    toleranceChange,
                    historySize,
                    strongWolfe);
        }

        /** Return the same options with other limits of a step. */
        public Options limits(int directions, int losses) {
            return new Options(
                    lr,
                    directions,
                    losses,
                    toleranceGrad,
                    toleranceChange,
                    historySize,
                    strongWolfe);
        }

        /** Return the same options with other tolerances. */
        public Options tolerances(double gradient, double change) {
            return new Options(lr, maxIter, maxEval, gradient, change, historySize, strongWolfe);
        }

        /** Return the same options with another size of the history. */
        public Options historySize(int size) {
            return new Options(
                    lr, maxIter, maxEval, toleranceGrad, toleranceChange, size, strongWolfe);
        }

        /** Return the same options with a search for step lengths, or without. */
        public Options strongWolfe(boolean wanted) {
            return new Options(
                    lr, maxIter, maxEval, toleranceGrad, toleranceChange, historySize, wanted);
        }
    }

    /**
     * Return PyTorch's defaults: {@code lr} 1, 20 directions and 25 evaluations, tolerances 1e-7
     * and 1e-9, a history of 100, no search.
     */
    public static Options options() {
        return new Options(1, 20, 25, 1e-7, 1e-9, 100, /* strongWolfe= */ false);
    }

    /** Create an optimizer with the default options. */
    public LBFGS(List<Tensor> parameters) {
        this(parameters, options());
    }

    /**
     * Create an optimizer.
     *
     * @param parameters at least one, all of them leaves of one type and on one device
     * @throws IllegalArgumentException when they are not, or one comes twice
     */
    public LBFGS(List<Tensor> parameters, Options options) {
        Optimizer.checkParameters(parameters, List.of());
        group = new ParameterGroup<>(parameters, options);
        flat = new FlatParameters(group.parameters());
    }

    /** {@return the parameters and their options} */
    public ParameterGroup<Options> group() {
        return group;
    }

    /** Clear the gradients of all parameters. */
    public void zeroGrad() {
        group.parameters().forEach(parameter -> parameter.zeroGrad(true));
    }

    /**
     * Take a step: change the parameters until a limit or tolerance of the options is met. A loss
     * or gradient that is NaN meets no tolerance; the step continues to its limits, as in PyTorch.
     *
     * @param closure zeroes the gradients, computes the loss of the parameters as they are and
     *     calls {@code backward} on it; runs with recording on
     * @return the loss before the step
     */
    public Tensor step(Supplier<Tensor> closure) {
        try (var _ = GradMode.noGrad()) {
            return new Step(closure).take();
        }
    }

    /** Return at most 1, also when the sum is NaN. */
    private static double firstLength(double sumOfGradient) {
        return 1 / sumOfGradient < 1 ? 1 / sumOfGradient : 1;
    }

    private static double largest(Tensor vector) {
        return vector.abs().max().item();
    }

    /** A step: the loss and gradient at the current parameters. */
    private final class Step {
        private final Supplier<Tensor> closure;
        private final Options options = group.options();
        private double loss;
        private Tensor gradient;
        private int losses;

        Step(Supplier<Tensor> closure) {
            this.closure = closure;
            this.gradient = Tensor.zeros(0);
        }

        private Tensor evaluate() {
            losses++;
            evaluations++;
            Tensor result;
            try (var _ = GradMode.enableGrad()) {
                result = closure.get();
            }
            loss = result.item();
            gradient = flat.gradient();
            return result;
        }

        Tensor take() {
            Tensor first = evaluate();
            boolean goesOn = !(largest(gradient) <= options.toleranceGrad());
            for (int i = 1; goesOn; i++) {
                goesOn = iterate(i);
            }
            return first;
        }

        private boolean iterate(int number) {
            Tensor along = nextDirection();
            direction = TensorScope.outside(along::copy);
            Tensor before = gradient;
            previousGradient = TensorScope.outside(before::copy);
            previousLoss = loss;
            length =
                    iterations == 1
                            ? firstLength(gradient.abs().sum().item()) * options.lr()
                            : options.lr();
            double slope = gradient.dot(along).item();
            if (slope > -options.toleranceChange()) {
                return false;
            }
            if (options.strongWolfe()) {
                search(along, slope);
            } else {
                flat.add(along, length);
                if (number < options.maxIter()) {
                    var _ = evaluate();
                }
            }
            return number < options.maxIter()
                    && losses < options.maxEval()
                    && !(largest(gradient) <= options.toleranceGrad())
                    && !(largest(along) * Math.abs(length) <= options.toleranceChange())
                    && !(Math.abs(loss - previousLoss) < options.toleranceChange());
        }

        private Tensor nextDirection() {
            iterations++;
            Tensor last = direction;
            Tensor lastGradient = previousGradient;
            if (last == null || lastGradient == null) {
                return gradient.neg();
            }
            history.add(gradient.sub(lastGradient), last.mul(length), options.historySize());
            return history.direction(gradient);
        }

        private void search(Tensor along, double slope) {
            List<Tensor> origin = flat.copies();
            var search =
                    new StrongWolfeSearch(
                            t -> at(origin, along, t),
                            new Point(0, loss, gradient, slope),
                            largest(along));
            Point found = search.search(length);
            length = found.length();
            loss = found.loss();
            gradient = found.gradient();
            flat.add(along, length);
        }

        private Point at(List<Tensor> origin, Tensor along, double t) {
            flat.add(along, t);
            var _ = evaluate();
            flat.restore(origin);
            return new Point(t, loss, gradient, gradient.dot(along).item());
        }
    }

    /** {@return the learning rate} */
    @Override
    public LearningRates learningRates() {
        return GroupLearningRates.of(List.of(group));
    }

    /** Change the learning rate. */
    @Override
    public void learningRates(LearningRates learningRates) {
        GroupLearningRates.set(List.of(group), learningRates);
    }

    /**
     * {@return the state needed to resume, as tensors by name, which {@code SafeTensors} can write;
     * see {@link Optimizer#stateDict}}
     */
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        state.put(STATE + "func_evals", Tensor.scalar(DType.INT64, evaluations));
        state.put(STATE + "n_iter", Tensor.scalar(DType.INT64, iterations));
        if (direction != null && previousGradient != null) {
            state.put(STATE + "d", direction.copy());
            state.put(STATE + "t", Tensor.scalar(NUMBERS, length));
            state.put(STATE + "prev_flat_grad", previousGradient.copy());
            state.put(STATE + "prev_loss", Tensor.scalar(NUMBERS, previousLoss));
            history.save(STATE, state);
        }
        int count = group.parameters().size();
        state.put("param_groups.0.params", Tensor.of(LongStream.range(0, count).toArray()));
        OptionValues.of(group.options())
                .forEach((name, number) ->
                        state.put("param_groups.0." + name, Tensor.scalar(NUMBERS, number)));
        return state;
    }

    /**
     * Verify that {@link #loadStateDict} accepts a state, and change nothing.
     *
     * @throws IllegalArgumentException when the state does not match; the message says why
     */
    public void checkStateDict(Map<String, Tensor> state) {
        var _ = LbfgsState.of(state, group, flat.size());
    }

    /**
     * Load the state of such an optimizer over the same number of elements. Tensors are copied.
     *
     * @throws IllegalArgumentException when the state does not match; nothing was changed
     */
    public void loadStateDict(Map<String, Tensor> state) {
        LbfgsState loaded = LbfgsState.of(state, group, flat.size());
        group.options(loaded.options());
        evaluations = loaded.count("func_evals");
        iterations = loaded.count("n_iter");
        direction = loaded.vector("d");
        previousGradient = loaded.vector("prev_flat_grad");
        length = loaded.number("t");
        previousLoss = loaded.number("prev_loss");
        history = CurvatureHistory.load(loaded.parts());
    }

    @Override
    public String toString() {
        return "LBFGS[" + group + "]";
    }
}
