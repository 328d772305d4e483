/** The workers of a group, by name and id, lost or not. */
@NullMarked
package org.gradwire.runtime.member;

import org.jspecify.annotations.NullMarked;
