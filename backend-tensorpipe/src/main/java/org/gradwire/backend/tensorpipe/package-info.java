/**
 * The agent of the backend {@code tensorpipe}.
 *
 * <p><b>Parts.</b> {@link org.gradwire.backend.tensorpipe.TensorPipeAgent} is a worker's connection
 * to its group. {@link org.gradwire.backend.tensorpipe.AgentRuntime} assembles its parts: one
 * {@link org.gradwire.backend.tensorpipe.Peer} with a {@link
 * org.gradwire.backend.tensorpipe.SendQueue} for each other member, and one {@link
 * org.gradwire.backend.tensorpipe.InboundSession} for each Aeron session that arrives. {@link
 * org.gradwire.backend.tensorpipe.LivenessMonitor} sends heartbeats and detects lost peers.
 *
 * <p><b>Threads.</b> The <em>receive loop</em> ({@link org.gradwire.backend.tensorpipe.Receiver})
 * dispatches frames and runs callbacks; one thread at a time is in it: the poller ({@link
 * org.gradwire.backend.tensorpipe.Poller}), which also runs timers, or a thread that waits for a
 * reply. The sender ({@link org.gradwire.backend.tensorpipe.Sender}) writes queued frames. Copy
 * threads ({@link org.gradwire.backend.tensorpipe.channel.CopyThread}) read large buffers from
 * other processes. Methods confined to one of these assert it.
 */
@NullMarked
package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.NullMarked;
