/**
 * The backend {@code tensorpipe}.
 *
 * <p><b>Parts.</b> {@link org.gradwire.backend.tensorpipe.TensorPipeAgent} is a worker's connection
 * to its group; it has one {@link org.gradwire.backend.tensorpipe.Peer} for each other member with
 * an {@link org.gradwire.backend.tensorpipe.Outbox}, and one {@link
 * org.gradwire.backend.tensorpipe.Inbound} for each Aeron session that arrives. {@link
 * org.gradwire.backend.tensorpipe.DriverConnector} finds or starts the media driver. The frames are
 * the classes whose names end in {@code Frame}.
 *
 * <p><b>Threads of an agent.</b> The poller ({@link org.gradwire.backend.tensorpipe.Poller})
 * receives, calls back, and keeps the time; the sender ({@link
 * org.gradwire.backend.tensorpipe.Sender}) drains queues and cuts large messages; the copier
 * ({@link org.gradwire.backend.tensorpipe.Copier}) reads large buffers out of other processes. What
 * a thread that sends or lends itself may touch is guarded by the outbox's lock and by the
 * receiver's turn.
 */
@NullMarked
package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.NullMarked;
