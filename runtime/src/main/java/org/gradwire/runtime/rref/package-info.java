/** Remote references: ids, owners, users, forks, and the messages between them. */
@NullMarked
package org.gradwire.runtime.rref;

import org.jspecify.annotations.NullMarked;
