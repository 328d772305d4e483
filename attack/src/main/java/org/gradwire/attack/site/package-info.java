/** Starts the processes and measures the victim. */
@NullMarked
package org.gradwire.attack.site;

import org.jspecify.annotations.NullMarked;
