/**
 * A recurrent language model whose embedding is spread over parameter servers by rows: the trainer
 * looks words up where they are, and gradients go back there.
 */
@NullMarked
package org.gradwire.examples.parameterserver;

import org.jspecify.annotations.NullMarked;
