/** Tests of checkpoints. */
@NullMarked
package org.gradwire.checkpoint.tests;

import org.jspecify.annotations.NullMarked;
