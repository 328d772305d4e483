/** What is proved with workers that are processes of their own. */
@NullMarked
package org.gradwire.conformance.processes;

import org.jspecify.annotations.NullMarked;
