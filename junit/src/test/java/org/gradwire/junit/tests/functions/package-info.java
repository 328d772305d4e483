/** What the tests call. */
@NullMarked
package org.gradwire.junit.tests.functions;

import org.jspecify.annotations.NullMarked;
