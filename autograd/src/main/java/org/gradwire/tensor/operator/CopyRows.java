package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.JoinRules;
import org.gradwire.tensor.storage.DevicePlacement;

import java.util.List;

/** Copying operators: concatenation, clones and conversions; and {@code detach}. */
@OperatorFamily
public final class CopyRows {
    /** Stack tensors of one shape along a new dimension. */
    public static final OperatorRow STACK =
            differentiable("aten::stack(Tensor[] tensors, int dim)", "StackBackward0")
                    .forward(a -> JoinRules.stack(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> JoinRules.stackGradients(s, gs))
                    .sparse(SparseVariants.STACK)
                    .refuses(s ->
                            List.of(
                                    refusal("stack expects a non-empty TensorList", List.of(), 0),
                                    refusal(
                                            "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1",
                                            List.of(s.tensor(2), s.tensor(3)),
                                            0),
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            List.of(s.tensor(2), s.tensor(2)),
                                            2)))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(2, 3)), 0),
                                    args(List.of(s.tensor(2), s.tensor(2)), -1)));

    /** Concatenate tensors along a dimension; empty vectors are skipped. */
    public static final OperatorRow CAT =
            differentiable("aten::cat(Tensor[] tensors, int dim)", "CatBackward0")
                    .forward(a -> JoinRules.cat(a.tensors(0), a.integer(1)))
                    .gradients((s, gs) -> JoinRules.catGradients(s, gs))
                    .sparse(SparseVariants.CAT)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "cat: expected a non-empty list of tensors",
                                            List.of(),
                                            0),
                                    refusal(
                                            "zero-dimensional tensor (at position 0) cannot be concatenated",
                                            List.of(s.tensor(), s.tensor()),
                                            0),
                                    refusal(
                                            "Sizes of tensors must match except in dimension 0. Expected [2, 3] but got [2, 4] for tensor number 1 in the list.",
                                            List.of(s.tensor(2, 3), s.tensor(2, 4)),
                                            0)))
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(1, 3)), 0),
                                    args(
                                            List.of(
                                                    s.tensor(2, 1),
                                                    s.transposed(2, 2),
                                                    s.tensor(2, 0)),
                                            1)));

    /** Copy; gradients flow through. PyTorch's {@code clone}. */
    @JavaName("copy")
    @TensorMethod
    public static final OperatorRow CLONE =
            differentiable("aten::clone(Tensor self)", "CloneBackward0")
                    .anyType()
                    .forward(a -> Elementwise.copy(a.tensor(0)))
                    .gradient((_, g) -> g)
                    .sparse(SparseVariants.CLONE)
                    .sparseGradients()
                    .refuses(_ ->
                            List.of(refusal(ErrorSamples.type("clone", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(2, 3))));

    /**
     * Convert; returns the tensor itself when it has the type. What is not zero becomes true. Whole
     * numbers wrap; fractions are cut off, and saturate outside the integer range; NaN becomes
     * zero.
     */
    @TensorMethod
    // The engine casts the gradient back.
    public static final OperatorRow TO =
            differentiable("aten::to.dtype(Tensor self, DType dtype)", "ToCopyBackward0")
                    .anyType()
                    .forward(a -> Elementwise.cast(a.tensor(0), a.dtype(1)))
                    .gradient((_, g) -> g)
                    .sparse(SparseVariants.TO)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            ErrorSamples.type("to.dtype", "DType", "dtype"),
                                            s.tensor(2),
                                            "float64")))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), DType.FLOAT64),
                                    args(s.longs(2, 3), DType.INT32),
                                    args(s.longs(2, 3), DType.BOOL),
                                    args(s.longs(2, 3), DType.FLOAT64),
                                    args(s.ints(2, 3), DType.INT64),
                                    args(s.ints(2, 3), DType.FLOAT32),
                                    args(s.ints(2, 3), DType.BOOL),
                                    args(s.bools(2, 3), DType.INT32),
                                    args(s.bools(2, 3), DType.INT64),
                                    args(s.bools(2, 3), DType.FLOAT64)));

    /**
     * Copy to a device; returns the tensor itself when it is on that device.
     *
     * @param device as {@link Device#parse} reads it
     */
    // The engine copies the gradient to the input's device.
    public static final OperatorRow TO_DEVICE =
            differentiable("aten::to.device(Tensor self, String device)", "ToCopyBackward0")
                    .anyType()
                    .forward(a -> DevicePlacement.copy(a.tensor(0), Device.parse(a.text(1))))
                    .gradient((_, g) -> g)
                    .anyLayout()
                    .refuses(s ->
                            List.of(
                                    refusal("Invalid device string: 'cpu:x'", s.tensor(2), "cpu:x"),
                                    refusal(
                                            "CPU device index must be -1 or zero, got 1",
                                            s.tensor(2),
                                            "cpu:1"),
                                    refusal(
                                            "device type at start of device string: abacus",
                                            s.tensor(2),
                                            "abacus")))
                    .samples(s -> samples(args(s.tensor(2, 3), "cpu")));

    /** View the same memory without history. */
    public static final OperatorRow DETACH =
            plain("aten::detach(Tensor self)")
                    .anyType()
                    .forward(a -> a.tensor(0).detach())
                    .runsOnPoller(_ -> true)
                    .anyLayout()
                    .refuses(_ ->
                            List.of(refusal(ErrorSamples.type("detach", "Tensor", "self"), "x")))
                    .samples(s -> samples(args(s.tensor(2, 3))));

    private CopyRows() {}
}
