/** The check of remote functions at build time. */
@NullMarked
package org.gradwire.processor;

import org.jspecify.annotations.NullMarked;
