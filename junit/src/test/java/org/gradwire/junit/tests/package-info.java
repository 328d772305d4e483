/** Tests of the extension. */
@NullMarked
package org.gradwire.junit.tests;

import org.jspecify.annotations.NullMarked;
