/** The certificates of systems that encrypt. */
@NullMarked
package org.gradwire.bench.tls;

import org.jspecify.annotations.NullMarked;
