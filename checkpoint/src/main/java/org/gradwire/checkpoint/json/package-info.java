/** JSON as text. */
@NullMarked
package org.gradwire.checkpoint.json;

import org.jspecify.annotations.NullMarked;
