/** Settings, and the places they come from. */
@NullMarked
package org.gradwire.runtime.config;

import org.jspecify.annotations.NullMarked;
