/** The processes that are attacked: a victim, and a friend that measures whether it serves. */
@NullMarked
package org.gradwire.attack.victim;

import org.jspecify.annotations.NullMarked;
