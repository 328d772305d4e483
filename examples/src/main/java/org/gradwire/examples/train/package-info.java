/**
 * A language model over characters, trained across processes: the embedding and the output layers
 * are on parameter servers, trainers call both by RPC within one autograd context per step, and a
 * distributed optimizer updates the parameters on the servers.
 */
@NullMarked
package org.gradwire.examples.train;

import org.jspecify.annotations.NullMarked;
