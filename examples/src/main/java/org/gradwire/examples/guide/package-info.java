/** What the pages of the guide show, a class for each page. */
@NullMarked
package org.gradwire.examples.guide;

import org.jspecify.annotations.NullMarked;
