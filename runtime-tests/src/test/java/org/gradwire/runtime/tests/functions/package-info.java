/** What the tests call and send: only an exported package may be reached by a peer. */
@NullMarked
package org.gradwire.runtime.tests.functions;

import org.jspecify.annotations.NullMarked;
