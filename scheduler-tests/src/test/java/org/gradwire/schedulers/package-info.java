/** Tests of the distribution under schedulers. */
@NullMarked
package org.gradwire.schedulers;

import org.jspecify.annotations.NullMarked;
