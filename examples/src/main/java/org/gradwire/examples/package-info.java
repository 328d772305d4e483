/** What the programs share: how they read their command lines. */
@NullMarked
package org.gradwire.examples;

import org.jspecify.annotations.NullMarked;
