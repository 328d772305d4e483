/** The command line of the attack program, its campaign and its report. */
@NullMarked
package org.gradwire.attack;

import org.jspecify.annotations.NullMarked;
