package org.gradwire.conformance.functions;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** Three results of different types. */
@WireValue
public record Assorted(Tensor tensor, String text, int number) {}
