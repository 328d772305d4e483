/** Addresses of workers, as published in the store, and the routes derived from them. */
@NullMarked
package org.gradwire.backend.tensorpipe.address;

import org.jspecify.annotations.NullMarked;
