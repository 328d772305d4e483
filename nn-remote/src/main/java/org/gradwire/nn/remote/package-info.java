/**
 * Modules and optimizers on other workers, after PyTorch's {@code RemoteModule} and {@code
 * DistributedOptimizer}.
 */
@NullMarked
package org.gradwire.nn.remote;

import org.jspecify.annotations.NullMarked;
