package org.gradwire.tensor.storage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Programs that view a tensor and change the views in place have the gradients of programs that do
 * the same without in-place operations. jqwik prints the seed of a failure.
 */
class RecordedProgramsTest {
    private static final int[] SHAPE = {3, 4};

    @Provide
    Arbitrary<List<Integer>> steps() {
        return Arbitraries.integers().between(0, 99_999).list().ofMinSize(2).ofMaxSize(14);
    }

    /** A tensor that is changed, and a vector of its elements that is replaced. */
    private static final class Program {
        final Tensor leaf = Tensor.randn(new SplittableRandom(5), DType.FLOAT64, SHAPE);
        final Tensor operand = Tensor.randn(new SplittableRandom(6), DType.FLOAT64, 4);
        final boolean inPlace;
        final List<Tensor> views = new ArrayList<>();
        final List<Tensor> places = new ArrayList<>(); // for each view, of its elements
        Tensor elements;
        Tensor total = Tensor.zeros(DType.FLOAT64);

        Program(boolean inPlace, boolean hasHistory) {
            this.inPlace = inPlace;
            leaf.requiresGrad(true);
            operand.requiresGrad(true);
            Tensor start = hasHistory ? leaf.mul(1.5) : leaf.detach().mul(1.5);
            elements = start.view(12);
            views.add(start);
            places.add(Tensor.arange(12).view(SHAPE));
        }

        void step(int step) {
            int at = step / 10 % views.size();
            int choice = step / 100;
            switch (step % 10) {
                case 0, 1, 2 -> view(at, choice);
                case 3, 4 -> read(at, choice);
                default -> change(at, choice);
            }
        }

        private void view(int at, int choice) {
            views.add(Views.any(value(at), choice));
            places.add(Views.any(places.get(at), choice));
        }

        private Tensor value(int at) {
            Tensor place = places.get(at);
            return inPlace
                    ? views.get(at)
                    : elements.indexSelect(0, place.reshape(-1)).reshape(place.shape());
        }

        private void read(int at, int choice) {
            Tensor value = value(at);
            Tensor factors =
                    Tensor.randn(new SplittableRandom(choice), DType.FLOAT64, value.shape());
            total = total.add(value.mul(factors).sum());
        }

        private void change(int at, int choice) {
            if (TensorGeometry.of(places.get(at)).mayOverlap()) {
                return; // refused
            }
            Tensor value = value(at);
            Tensor number = choice % 7 == 0 ? value.sum() : operand.select(0, choice % 4);
            Tensor changed =
                    switch (choice % 6) {
                        case 0 -> inPlace ? value.mul_(number) : value.mul(number);
                        case 1 -> inPlace ? value.add_(number) : value.add(number);
                        case 2 -> inPlace ? value.mul(2).add_(1) : value.mul(2).add(1);
                        case 3 -> inPlace ? value.tanh_() : value.tanh();
                        case 4 -> inPlace ? value.copy_(number) : number.expand(value.shape());
                        default -> inPlace ? value.zero_() : value.mul(0);
                    };
            boolean isSame = choice % 6 != 2; // a new tensor, of which the program reads
            if (!isSame) {
                total = total.add(changed.sum());
            } else if (!inPlace) {
                Tensor place = places.get(at).reshape(-1);
                elements = elements.indexCopy(0, place, changed.reshape(-1));
            }
        }

        Tensor run(List<Integer> steps) {
            steps.forEach(this::step);
            for (int at = 0; at < views.size(); at++) {
                read(at, at);
            }
            if (total.requiresGrad()) {
                total.backward();
            }
            return total;
        }
    }

    /** Views of any tensor, chosen by numbers. */
    private static final class Views {

        static Tensor any(Tensor x, int choice) {
            if (x.dim() == 0) {
                return x.unsqueeze(0);
            }
            int dim = choice / 10 % x.dim();
            int size = x.size(dim);
            return switch (choice % 7) {
                case 0 -> x.transpose(dim, 0);
                case 1 -> size == 0 ? x.t() : x.select(dim, choice % size);
                case 2 -> x.narrow(dim, size / 3, size - size / 3);
                case 3 -> x.slice(dim, 0, size, 2);
                case 4 -> x.unsqueeze(dim);
                case 5 -> x.dim() < 2 ? x.view(-1, 1) : x.diagonal(0, 0, 1);
                default -> x.dim() > 3 ? x.select(0, 0) : x.unsqueeze(0).expand(expanded(x));
            };
        }

        private static int[] expanded(Tensor x) {
            int[] shape = new int[x.dim() + 1];
            shape[0] = 2;
            System.arraycopy(x.shape(), 0, shape, 1, x.dim());
            return shape;
        }
    }

    @Property(tries = 600)
    void inPlaceProgramsHaveTheGradientsOfOthers(
            @ForAll("steps") List<Integer> steps, @ForAll @IntRange(max = 1) int history) {
        var expected = new Program(false, history == 1);
        var actual = new Program(true, history == 1);
        Tensor wanted = expected.run(steps);
        Tensor found = actual.run(steps);
        assertTrue(wanted.detach().allclose(found.detach(), 1e-9, 1e-9));
        assertEquals(zeroIfNone(expected.leaf), zeroIfNone(actual.leaf), 1e-9);
        assertEquals(zeroIfNone(expected.operand), zeroIfNone(actual.operand), 1e-9);
    }

    private static void assertEquals(Tensor wanted, Tensor found, double tolerance) {
        assertTrue(wanted.allclose(found, tolerance, tolerance), () -> found + " not " + wanted);
    }

    private static Tensor zeroIfNone(Tensor leaf) {
        @Nullable Tensor gradient = leaf.grad();
        return gradient == null ? leaf.detach().mul(0) : gradient;
    }
}
