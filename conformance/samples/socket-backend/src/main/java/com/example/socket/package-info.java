/**
 * A backend over TCP.
 *
 * <p>Each worker listens on its own port and dials every other worker. A dialed connection carries
 * requests of the side that dialed it and their replies, so two workers share two connections, and
 * no tie-break is needed. {@link com.example.socket.Link} is such a connection on the dialing side,
 * {@link com.example.socket.Visit} on the listening side.
 *
 * <p>Read in this order: {@link com.example.socket.SocketProvider}, {@link
 * com.example.socket.SocketAgent}, {@link com.example.socket.Connection} with its {@link
 * com.example.socket.Outbox}, {@link com.example.socket.Links}, {@link com.example.socket.Visits},
 * {@link com.example.socket.Handshake}.
 *
 * <p>All threads are platform threads. A virtual one would wait for a core while functions compute,
 * and its peers would take a busy worker for a dead one.
 */
@NullMarked
package com.example.socket;

import org.jspecify.annotations.NullMarked;
