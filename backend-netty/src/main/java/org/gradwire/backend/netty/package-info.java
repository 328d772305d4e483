/**
 * The backend {@code netty}.
 *
 * <p>An agent has one {@link org.gradwire.backend.netty.AgentLoop}, which reads and writes all
 * connections, delivers messages and expires deadlines, on its poller or on a thread that waits for
 * a reply. Each pair of workers has two TCP connections: a {@link org.gradwire.backend.netty.Lane}
 * for small messages and one for large ones, so that small messages never wait for large ones. The
 * worker with the larger id connects ({@link org.gradwire.backend.netty.Dialer}), the other listens
 * ({@link org.gradwire.backend.netty.Acceptor}), and both prove their identity ({@link
 * org.gradwire.backend.netty.Handshake}) before the first message.
 */
@NullMarked
package org.gradwire.backend.netty;

import org.jspecify.annotations.NullMarked;
