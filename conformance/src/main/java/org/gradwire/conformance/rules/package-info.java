/** The rules of backends, checked on agents alone, and backends that break them. */
@NullMarked
package org.gradwire.conformance.rules;

import org.jspecify.annotations.NullMarked;
