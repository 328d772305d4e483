/** Memory of idle workers and of training steps: {@code --memory}. */
@NullMarked
package org.gradwire.bench.memory;

import org.jspecify.annotations.NullMarked;
