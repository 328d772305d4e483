package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The sockets of a media driver, beside which its thread sleeps until one has something to read.
 *
 * <p>Aeron looks at its sockets, but does not wait for them. One thread adds and sleeps; any may
 * wake it.
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

    /** Let go of sockets that were closed: until then the system keeps their ports. */
    void release() {
        try {
            selector.selectNow(_ -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sleep until there is something to read, somebody calls {@link #wake}, or time is up. */
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
