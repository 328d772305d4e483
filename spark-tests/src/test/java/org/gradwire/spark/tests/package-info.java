/** Tests of groups on Spark. */
@NullMarked
package org.gradwire.spark.tests;

import org.jspecify.annotations.NullMarked;
