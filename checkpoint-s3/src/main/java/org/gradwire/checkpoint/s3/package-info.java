/** Checkpoints in object stores that speak the protocol of Amazon S3. */
@NullMarked
package org.gradwire.checkpoint.s3;

import org.jspecify.annotations.NullMarked;
