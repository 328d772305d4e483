/** Groups of workers as barrier stages of Spark. Needs no class of Gradwire. */
@NullMarked
package org.gradwire.spark;

import org.jspecify.annotations.NullMarked;
