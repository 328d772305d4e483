/**
 * Tests of the project as a whole. They find the modules in the reactor, so a new one is covered.
 */
@NullMarked
package org.gradwire.architecture;

import org.jspecify.annotations.NullMarked;
