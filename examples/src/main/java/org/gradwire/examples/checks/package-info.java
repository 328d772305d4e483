/** What the programs use to show that what they did over several workers is right. */
@NullMarked
package org.gradwire.examples.checks;

import org.jspecify.annotations.NullMarked;
