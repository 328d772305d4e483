/**
 * Authentication of workers: the shared secret of a group, and the proofs that a worker knows it.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.auth;

import org.jspecify.annotations.NullMarked;
