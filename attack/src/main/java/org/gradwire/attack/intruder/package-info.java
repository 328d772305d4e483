/** The attacker processes, one class for each attack. */
@NullMarked
package org.gradwire.attack.intruder;

import org.jspecify.annotations.NullMarked;
