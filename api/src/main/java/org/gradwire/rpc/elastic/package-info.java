/** Programs of a dynamic group that survive the loss of members. */
@NullMarked
package org.gradwire.rpc.elastic;

import org.jspecify.annotations.NullMarked;
