/** The classes of the program that peers may name. */
@NullMarked
package org.gradwire.runtime.classes;

import org.jspecify.annotations.NullMarked;
