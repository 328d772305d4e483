/** Members of a group that are called together. */
@org.jspecify.annotations.NullMarked
package org.gradwire.runtime.workers;
