/** Settings and their sources. */
@NullMarked
package org.gradwire.runtime.config;

import org.jspecify.annotations.NullMarked;
