package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;

/** The mean of the parameters, which steps do not use. The numbers are those of PyTorch 1.13. */
class ASGDTest {
    private static final double[][] MEANS = {
        {0.06949999954551458, 2.557500000856817, -0.000994999999925494},
        {0.009332820318669742, 2.614541547588458, -0.001089741061382367},
        {-0.08017784975394766, 2.6711299856681574, -0.0012831343083751273},
        {-0.1987133212864453, 2.727270576540627, -0.0015741076825895961},
        {-0.27233656249773563, 2.7551195377751014, -0.001767856645496611},
        {-0.35542714211656623, 2.782822641482591, -0.00199343397937737}
    };

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void theMeanIsTheParameterUntilItBegins(DType dtype) {
        Tensor p = Tensor.of(0.1, 2.5, -1e-3).to(dtype).requiresGrad(true);
        var optimizer = new ASGD(List.of(p), ASGD.options(0.1).lambd(0.05).alpha(0.6).t0(2));
        double delta = dtype == DType.FLOAT64 ? 1e-15 : 1e-6;
        for (int i = 0; i < MEANS.length; i++) {
            optimizer.step(Map.of(p, Tensor.of(0.3 * (i + 1), -0.7, 1e-3 * i).to(dtype)));
            Tensor mean = requireNonNull(optimizer.stateDict().get("state.0.ax"));
            assertArrayEquals(MEANS[i], mean.toDoubleArray(), delta, "step " + i);
            if (i < 4) { // bit by bit
                assertArrayEquals(p.toDoubleArray(), mean.toDoubleArray(), "step " + i);
            }
        }
    }
}
