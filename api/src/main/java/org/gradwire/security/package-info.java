/** Authorization: which worker may do what on another one. */
@NullMarked
package org.gradwire.security;

import org.jspecify.annotations.NullMarked;
