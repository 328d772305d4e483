/**
 * The media driver: its directory and process, a worker's connection to it, and Gradwire's
 * extensions of it.
 *
 * <p>{@link org.gradwire.backend.tensorpipe.driver.DriverConnector} finds or starts the driver, for
 * a worker. {@link org.gradwire.backend.tensorpipe.driver.DriverKeeper} and the parts that it
 * passes to Aeron (idle strategies, endpoints, the source filter) run in the driver's process, or
 * in the worker's with {@code driver=embedded}.
 */
@NullMarked
package org.gradwire.backend.tensorpipe.driver;

import org.jspecify.annotations.NullMarked;
