/** Tests of data-parallel training. */
@NullMarked
package org.gradwire.nn.parallel.tests;

import org.jspecify.annotations.NullMarked;
