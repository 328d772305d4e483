/** Remote functions of the tests. */
@NullMarked
package org.gradwire.store.etcd.tests.functions;

import org.jspecify.annotations.NullMarked;
