/**
 * Cryptography for what leaves a worker: thin forms of the JDK's algorithms, which the store and
 * the backends share.
 */
@NullMarked
package org.gradwire.spi.crypto;

import org.jspecify.annotations.NullMarked;
