/** Groups that meet in etcd. */
@NullMarked
package org.gradwire.store.etcd;

import org.jspecify.annotations.NullMarked;
