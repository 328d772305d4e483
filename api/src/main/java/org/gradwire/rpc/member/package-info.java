/** The members of a dynamic group: views, events of changes, and programs that survive them. */
@NullMarked
package org.gradwire.rpc.member;

import org.jspecify.annotations.NullMarked;
