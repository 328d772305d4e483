/**
 * The certificates of a run: an authority that one launcher makes, and the join service by which
 * launchers on other machines get certificates for their workers.
 */
@NullMarked
package org.gradwire.launcher.secure;

import org.jspecify.annotations.NullMarked;
