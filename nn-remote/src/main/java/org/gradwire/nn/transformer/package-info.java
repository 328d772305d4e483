/** Multi-head attention, and transformer encoders and decoders. */
@NullMarked
package org.gradwire.nn.transformer;

import org.jspecify.annotations.NullMarked;
