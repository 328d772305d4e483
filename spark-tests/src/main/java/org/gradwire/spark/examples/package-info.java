/** Examples of programs of Spark that run groups. */
@NullMarked
package org.gradwire.spark.examples;

import org.jspecify.annotations.NullMarked;
