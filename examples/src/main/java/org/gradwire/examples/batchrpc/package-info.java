/** Reinforcement learning: an agent that serves several observers in one batch. */
@NullMarked
package org.gradwire.examples.batchrpc;

import org.jspecify.annotations.NullMarked;
