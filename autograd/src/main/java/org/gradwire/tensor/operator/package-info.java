/**
 * The table of operators: rows by family, how a row is called and recorded, and how the rows are
 * offered to remote callers.
 */
@NullMarked
package org.gradwire.tensor.operator;

import org.jspecify.annotations.NullMarked;
