package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.rule.convolution.Conv1dRules;

/** One-dimensional pooling rules: two-dimensional pooling of height 1. */
public final class Pooling1dRules {
    public static Tensor maxPool1d(Args a) {
        Conv1dRules.requireRows("max_pool1d", a.tensor(0));
        int[] kernel = Conv1dRules.pair("kernelSize", 1, a.integers(1));
        return Ops.maxPool2d(
                        a.tensor(0).unsqueeze(-2),
                        kernel,
                        stride(a.integers(2), kernel),
                        Conv1dRules.pair("padding", 0, a.integers(3)),
                        Conv1dRules.pair("dilation", 1, a.integers(4)),
                        a.flag(5))
                .squeeze(-2);
    }

    public static Tensor avgPool1d(Args a) {
        Conv1dRules.requireRows("avg_pool1d", a.tensor(0));
        int[] kernel = Conv1dRules.pair("kernelSize", 1, a.integers(1));
        return Ops.avgPool2d(
                        a.tensor(0).unsqueeze(-2),
                        kernel,
                        stride(a.integers(2), kernel),
                        Conv1dRules.pair("padding", 0, a.integers(3)),
                        a.flag(4),
                        a.flag(5),
                        null)
                .squeeze(-2);
    }

    private static int[] stride(int[] given, int[] kernel) {
        return given.length == 0 ? kernel : Conv1dRules.pair("stride", 1, given);
    }

    public static Tensor adaptiveAvgPool1d(Args a) {
        Conv1dRules.requireRows("adaptive_avg_pool1d", a.tensor(0));
        int[] size = Conv1dRules.pair("outputSize", 1, a.integers(1));
        return Ops.adaptiveAvgPool2d(a.tensor(0).unsqueeze(-2), size).squeeze(-2);
    }

    private Pooling1dRules() {}
}
