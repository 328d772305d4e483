package org.gradwire.examples.train;

import org.gradwire.nn.EmbeddingBag;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.WireValue;

/**
 * The model that the first trainer shares with the others.
 *
 * @param embedding on its server
 * @param head on its server
 */
@WireValue
public record ModelParts(RRef<EmbeddingBag> embedding, RRef<Head> head) {}
