package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The result of {@link WordModule#tensors}: its arguments in reverse order. */
@WireValue
public record TensorWords(Tensor word, int number, Tensor tensor) {}
