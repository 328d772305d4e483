/** Tests of the store {@code etcd}. */
@NullMarked
package org.gradwire.store.etcd.tests;

import org.jspecify.annotations.NullMarked;
