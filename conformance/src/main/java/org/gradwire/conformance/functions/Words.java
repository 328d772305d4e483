package org.gradwire.conformance.functions;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** What a {@link WordModule} returns: its arguments, the last one first. */
@WireValue
public record Words(String word, int number, Tensor tensor) {}
