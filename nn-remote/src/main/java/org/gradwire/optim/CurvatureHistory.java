package org.gradwire.optim;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The last steps of {@link LBFGS} and their gradient changes: a limited-memory approximation of the
 * inverse Hessian.
 */
final class CurvatureHistory {
    /**
     * Steps whose product with their gradient change is below this carry no curvature information.
     */
    private static final double LEAST_PRODUCT = 1e-10;

    private final List<Tensor> changes = new ArrayList<>();
    private final List<Tensor> steps = new ArrayList<>();
    private final List<Double> inverses = new ArrayList<>(); // 1 / (change · step)
    private double diagonal = 1;

    /** Add a step that carries curvature information; evict the oldest above the size. */
    void add(Tensor change, Tensor step, int size) {
        double product = change.dot(step).item();
        if (!(product > LEAST_PRODUCT)) {
            return;
        }
        while (changes.size() >= size) { // the size may have shrunk
            changes.removeFirst();
            steps.removeFirst();
            inverses.removeFirst();
        }
        changes.add(kept(change));
        steps.add(kept(step));
        inverses.add(1 / product);
        diagonal = product / change.dot(change).item();
    }

    /** {@return the negative gradient times the approximate inverse Hessian} */
    Tensor direction(Tensor gradient) {
        double[] alphas = new double[changes.size()];
        Tensor direction = gradient.neg();
        for (int i = alphas.length - 1; i >= 0; i--) {
            alphas[i] = steps.get(i).dot(direction).item() * inverses.get(i);
            direction.add_(changes.get(i), -alphas[i]);
        }
        direction.mul_(diagonal);
        for (int i = 0; i < alphas.length; i++) {
            double beta = changes.get(i).dot(direction).item() * inverses.get(i);
            direction.add_(steps.get(i), alphas[i] - beta);
        }
        return direction;
    }

    private static Tensor kept(Tensor vector) {
        return TensorScope.outside(() -> vector.detach().copy());
    }

    void save(String prefix, Map<String, Tensor> state) {
        state.put(prefix + "H_diag", Tensor.scalar(LBFGS.NUMBERS, diagonal));
        if (!changes.isEmpty()) {
            state.put(prefix + "old_dirs", Ops.stack(changes, 0));
            state.put(prefix + "old_stps", Ops.stack(steps, 0));
            state.put(
                    prefix + "ro",
                    Tensor.of(inverses.stream().mapToDouble(Double::doubleValue).toArray()));
        }
    }

    /** Restore the output of {@link #save} from validated parts. */
    static CurvatureHistory load(Map<String, Tensor> parts) {
        var history = new CurvatureHistory();
        Tensor diagonal = parts.get("H_diag");
        if (diagonal != null) {
            history.diagonal = diagonal.item();
        }
        Tensor changes = parts.get("old_dirs");
        Tensor steps = parts.get("old_stps");
        Tensor inverses = parts.get("ro");
        if (changes != null && steps != null && inverses != null) {
            for (int i = 0; i < inverses.numel(); i++) {
                history.changes.add(kept(changes.select(0, i)));
                history.steps.add(kept(steps.select(0, i)));
                history.inverses.add(inverses.get(i));
            }
        }
        return history;
    }
}
