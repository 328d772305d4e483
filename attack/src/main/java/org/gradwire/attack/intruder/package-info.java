/** The processes that attack: one class for each idea. */
@NullMarked
package org.gradwire.attack.intruder;

import org.jspecify.annotations.NullMarked;
