package org.gradwire.conformance.cases.modules;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The result of a {@link WordModule}: its arguments in reverse order. */
@WireValue
public record Words(String word, int number, Tensor tensor) {}
