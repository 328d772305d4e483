/** The code of the guide, a class for each page. */
@NullMarked
package org.gradwire.examples.guide;

import org.jspecify.annotations.NullMarked;
