/** What workers call in the tests. */
@NullMarked
package org.gradwire.spring.functions;

import org.jspecify.annotations.NullMarked;
