/** The settings of the backend, and the limits derived from them. */
@NullMarked
package org.gradwire.backend.tensorpipe.config;

import org.jspecify.annotations.NullMarked;
