/** Reinforcement learning: an agent that answers several observers with one batch. */
@NullMarked
package org.gradwire.examples.batchrpc;

import org.jspecify.annotations.NullMarked;
