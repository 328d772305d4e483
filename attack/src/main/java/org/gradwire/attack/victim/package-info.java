/** The attacked processes: a victim, and an honest client that measures its service. */
@NullMarked
package org.gradwire.attack.victim;

import org.jspecify.annotations.NullMarked;
