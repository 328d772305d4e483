package org.gradwire.examples.train;

import org.gradwire.nn.EmbeddingBag;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.WireValue;

/** The parts of the model, which the first trainer shares with the others. */
@WireValue
public record ModelParts(RRef<EmbeddingBag> embedding, RRef<Head> head) {}
