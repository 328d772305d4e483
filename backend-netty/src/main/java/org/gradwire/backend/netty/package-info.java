/**
 * The backend {@code netty}.
 *
 * <p>A worker has one {@link org.gradwire.backend.netty.Loop}, a thread that reads, writes, hands
 * in messages and watches deadlines. Two workers have a {@link org.gradwire.backend.netty.Lane} for
 * small messages and one for large ones, so that small ones never wait for large ones; the one with
 * the larger id connects ({@link org.gradwire.backend.netty.Dialer}), the other listens ({@link
 * org.gradwire.backend.netty.Acceptor}), and both prove who they are ({@link
 * org.gradwire.backend.netty.Greeting}) before the first message.
 */
@NullMarked
package org.gradwire.backend.netty;

import org.jspecify.annotations.NullMarked;
