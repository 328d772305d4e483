/**
 * Cryptography for data that leaves a worker: thin wrappers around the JDK's algorithms, which the
 * store and the backends share.
 */
@NullMarked
package org.gradwire.spi.crypto;

import org.jspecify.annotations.NullMarked;
