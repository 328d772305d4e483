/** Mixed work of two workers for a long time, in which nothing may grow: {@code --soak}. */
@NullMarked
package org.gradwire.bench.soak;

import org.jspecify.annotations.NullMarked;
