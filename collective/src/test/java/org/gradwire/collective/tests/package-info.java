/** Tests of collective operations. */
@NullMarked
package org.gradwire.collective.tests;

import org.jspecify.annotations.NullMarked;
