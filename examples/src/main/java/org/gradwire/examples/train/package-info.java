/**
 * A language model over characters, trained across processes: the embedding and the output layer
 * live on parameter servers, trainers look embeddings up and have outputs computed by RPC, one
 * autograd context a step, and a distributed optimizer changes the parameters where they are.
 */
@NullMarked
package org.gradwire.examples.train;

import org.jspecify.annotations.NullMarked;
