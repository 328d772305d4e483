/**
 * Retries of calls and of control messages, and the cache of replies that lets a retried call run
 * once.
 */
@NullMarked
package org.gradwire.runtime.retry;

import org.jspecify.annotations.NullMarked;
