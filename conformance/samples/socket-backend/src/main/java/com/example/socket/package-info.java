/**
 * A backend over TCP.
 *
 * <p>Each worker listens at a port of its own, and dials every other one: the connection that it
 * has dialed carries its requests and brings back their replies, so between two workers there are
 * two connections, and no rule is needed for who dials. {@link com.example.socket.Link} is a
 * connection seen from the side that dialed it, {@link com.example.socket.Visit} one seen from the
 * other side.
 *
 * <p>In the order in which they are best read: {@link com.example.socket.SocketProvider}, {@link
 * com.example.socket.SocketAgent}, {@link com.example.socket.Connection} with its {@link
 * com.example.socket.Outbox}, {@link com.example.socket.Links}, {@link com.example.socket.Visits},
 * {@link com.example.socket.Handshake}.
 *
 * <p>Threads belong to the platform: a virtual one would wait for a core while functions compute,
 * and its peers would take a busy worker for a dead one.
 */
@NullMarked
package com.example.socket;

import org.jspecify.annotations.NullMarked;
