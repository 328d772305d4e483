/** Rules of convolutions, and the ways to compute them on the host. */
@NullMarked
package org.gradwire.tensor.rule.convolution;

import org.jspecify.annotations.NullMarked;
