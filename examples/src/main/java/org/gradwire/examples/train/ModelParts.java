package org.gradwire.examples.train;

import org.gradwire.examples.elastic.Snapshot;
import org.gradwire.nn.EmbeddingBag;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.WireValue;

/**
 * The state that the first trainer shares with the others.
 *
 * @param embedding on its server
 * @param head on its server
 * @param from the state in which the training begins
 * @param wantsMore whether it has more steps
 */
@WireValue
public record ModelParts(
        RRef<EmbeddingBag> embedding, RRef<Head> head, Snapshot from, boolean wantsMore) {}
