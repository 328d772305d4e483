package org.gradwire.tensor.operator;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.function.Consumer;

/** In-place changes of saved tensors: of inputs, of results, through any view. */
class VersionChecksTest {

    private static void assertCaught(Tensor root, String text) {
        assertFails(
                IllegalStateException.class,
                "one of the tensors needed for gradient computation was changed in place: " + text,
                () -> root.sum().backward());
    }

    private static void change(Tensor tensor, Consumer<Tensor> change) {
        try (var _ = GradMode.noGrad()) {
            change.accept(tensor);
        }
    }

    @Test
    void changeOfASavedResultIsCaught() {
        Tensor y = Tensor.ones(3).requiresGrad(true).tanh();
        change(y, t -> t.add_(Tensor.ones(3)));
        assertCaught(
                y,
                "the float32 tensor [3], which is output 0 of TanhBackward0, is at version 1; expected version 0 instead. Hint: TanhBackward0 needs it; change a copy() of it, or enable anomaly detection");
    }

    @Test
    void changeOfASavedInputIsCaught() {
        Tensor x = Tensor.ones(2, 2).requiresGrad(true);
        Tensor factor = Tensor.ones(DType.FLOAT32, 2, 2);
        Tensor y = x.mul(factor);
        factor.fill_(2);
        factor.mul_(3);
        assertCaught(
                y,
                "the float32 tensor [2, 2] is at version 2; expected version 0 instead. Hint: MulBackward0 needs it");
    }

    @Test
    void changeThroughAViewIsCaught() {
        Tensor x = Tensor.ones(2, 3).requiresGrad(true);
        Tensor base = Tensor.ones(3, 2);
        Tensor y = x.mul(base.t());
        base.select(0, 1).narrow(0, 0, 1).zero_();
        assertCaught(y, "the float32 tensor [2, 3] is at version 1; expected version 0 instead.");
        Tensor z = x.exp();
        change(z.detach().view(6), t -> t.copy_(Tensor.zeros(6)));
        assertCaught(
                z,
                "the float32 tensor [2, 3], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.");
    }

    @Test
    void changeOfTheBaseOfASavedViewIsCaught() {
        Tensor x = Tensor.ones(2).requiresGrad(true);
        Tensor base = Tensor.ones(4);
        Tensor y = x.mul(base.narrow(0, 2, 2));
        base.fill_(3);
        assertCaught(y, "the float32 tensor [2] is at version 1; expected version 0 instead.");
    }

    @Test
    void changeOfWhatIsNotNeededIsAllowed() {
        Tensor x = Tensor.ones(2).requiresGrad(true);
        Tensor y = x.add(1);
        change(y, t -> t.fill_(9));
        Tensor factor = Tensor.of(2f, 2f);
        Tensor z = y.mul(factor);
        change(y, t -> t.fill_(7)); // the factor needs no gradient
        z.sum().backward();
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertEquals(2, gradient.get(0));
    }

    @Test
    void changeBeforeItIsSavedIsAllowed() {
        Tensor factor = Tensor.ones(2);
        factor.fill_(4);
        Tensor x = Tensor.ones(2).requiresGrad(true);
        x.mul(factor).sum().backward();
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        assertEquals(4, gradient.get(1));
    }
}
