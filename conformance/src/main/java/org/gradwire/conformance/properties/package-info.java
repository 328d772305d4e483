/** Random programs and what must hold of them; the models know nothing of jqwik. */
@NullMarked
package org.gradwire.conformance.properties;

import org.jspecify.annotations.NullMarked;
