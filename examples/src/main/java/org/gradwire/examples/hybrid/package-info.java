/**
 * Data parallelism with a parameter server: trainers average the gradients of their replicated
 * dense layers, and share one sparse embedding on a server.
 */
@NullMarked
package org.gradwire.examples.hybrid;

import org.jspecify.annotations.NullMarked;
