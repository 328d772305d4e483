/**
 * Encryption between two workers over the network: the pair's secret, the keys derived from it, and
 * the seals of datagrams and of streams.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.seal;

import org.jspecify.annotations.NullMarked;
