/**
 * A recurrent language model with an embedding sharded by rows over parameter servers: look-ups and
 * gradients are calls to the servers.
 */
@NullMarked
package org.gradwire.examples.parameterserver;

import org.jspecify.annotations.NullMarked;
