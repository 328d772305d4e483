package org.gradwire.conformance.functions;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** What a {@link WordModule} returns of a word that is a tensor. */
@WireValue
public record TensorWords(Tensor word, int number, Tensor tensor) {}
