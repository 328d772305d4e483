/**
 * Two ways to train at once: trainers keep dense layers each, whose gradients they average, and
 * share one sparse embedding, which stays on a parameter server.
 */
@NullMarked
package org.gradwire.examples.hybrid;

import org.jspecify.annotations.NullMarked;
