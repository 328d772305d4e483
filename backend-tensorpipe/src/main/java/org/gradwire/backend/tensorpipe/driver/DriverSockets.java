package org.gradwire.backend.tensorpipe.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The sockets of a media driver; its thread sleeps until one is readable.
 *
 * <p>Aeron polls its sockets, but never waits for them. One thread adds sockets and sleeps; any
 * thread may wake it.
 */
final class DriverSockets implements AutoCloseable {
    private final Selector selector;

    DriverSockets() {
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Watch a socket until it is closed. */
    void add(DatagramChannel socket) {
        try {
            socket.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Release closed sockets, whose ports the system keeps until then. */
    void release() {
        try {
            selector.selectNow(_ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sleep until a socket is readable, {@link #wake} is called, or the time has passed. */
    void sleep(long millis) {
        try {
            selector.select(_ -> {}, millis);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** End the sleep, or the next one. */
    void wake() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
