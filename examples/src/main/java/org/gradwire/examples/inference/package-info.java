/** A model on several replicas that answer in batches, and of which one is lost. */
@NullMarked
package org.gradwire.examples.inference;

import org.jspecify.annotations.NullMarked;
