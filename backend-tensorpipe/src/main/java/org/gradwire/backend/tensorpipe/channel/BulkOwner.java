package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.jspecify.annotations.Nullable;

/**
 * The peer that owns the buffers of a bulk connection, as its reader knows it.
 *
 * @param secret that the two share; null when they do not encrypt
 */
public record BulkOwner(Authenticator.Party party, @Nullable PairSecret secret) {}
