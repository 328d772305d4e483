package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.RateLimitedLog;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The server's side of one worker's connection: reads requests and replies to them. A waiting
 * {@code get} has its own virtual thread, which ends with the connection.
 */
final class StoreConnection {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final RateLimitedLog DENIALS =
            new RateLimitedLog(LOGGER, Duration.ofSeconds(10));
    private static final byte[] NOTHING = {};

    private final SocketChannel channel;
    private final WaitingMap table;
    private final String source;
    private final SessionKeys keys;
    private final StoreAcceptor.@Nullable Certified certified;
    private final SourceLimit allWaits;
    private final Set<Thread> waits = new HashSet<>(); // of gets; guarded by itself
    private boolean ended; // guarded by the waits

    /**
     * Create a connection of a worker that has proved itself.
     *
     * @param allWaits limits the gets of all connections
     */
    StoreConnection(StoreAcceptor.Admission worker, WaitingMap table, SourceLimit allWaits) {
        channel = worker.channel();
        source = worker.source();
        keys = worker.keys();
        certified = worker.certified();
        this.table = table;
        this.allWaits = allWaits;
    }

    /** {@return the source of the worker, as {@link PendingHandshakes#source} names it} */
    String source() {
        return source;
    }

    /** Report to a worker that the store is at its limit of connections. Does not block. */
    void refuse() {
        try {
            channel.write(ByteBuffer.wrap(new byte[] {StoreFrames.FULL}));
        } catch (IOException e) {
            logEnd(e);
        }
        close();
    }

    /** Accept the worker, and serve its requests until it leaves. */
    void serve() {
        try (channel) {
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true); // detects a dead host
            OutputStream plainOut = channel.socket().getOutputStream();
            plainOut.write(StoreFrames.DONE);
            if (certified != null) {
                new SealedOutput(plainOut, keys.serverIdentity()).write(certified.serverIdentity());
            }
            var plainIn = new BufferedInputStream(channel.socket().getInputStream());
            var in = new DataInputStream(new SealedInput(plainIn, keys.clientToServer()));
            var out =
                    new DataOutputStream(
                            new BufferedOutputStream(
                                    new SealedOutput(plainOut, keys.serverToClient())));
            while (true) {
                answer(StoreFrames.readRequest(in), out);
            }
        } catch (IOException | RuntimeException e) {
            logEnd(e);
        } finally {
            endWaits();
        }
    }

    private void answer(Request request, DataOutputStream out) throws IOException {
        try {
            requireAccepted();
        } catch (RpcException e) {
            DENIALS.log(Level.WARNING, e::getMessage);
            send(out, failed(request, e));
            throw new IOException(e.getMessage(), e);
        }
        switch (request.operation()) {
            case StoreFrames.SET, StoreFrames.ADD -> send(out, change(request));
            case StoreFrames.GET -> {
                byte[] value = table.find(request.key());
                if (value != null) {
                    send(out, new Response(request.id(), StoreFrames.DONE, 0, value));
                } else if (!startWait(request, out)) {
                    send(out, failed(request, StoreLimits.tooManyWaits()));
                }
            }
            default -> throw new IOException("unknown operation " + request.operation());
        }
    }

    private void requireAccepted() {
        if (certified != null) {
            certified.worker().requireAccepted();
        }
    }

    private void requireMayWrite(String key) {
        if (certified != null) {
            try {
                certified.worker().requireMayWrite(key);
            } catch (RpcException e) {
                DENIALS.log(Level.WARNING, e::getMessage);
                throw e;
            }
        }
    }

    private Response change(Request request) {
        try {
            requireMayWrite(request.key());
            long sum = 0;
            if (request.operation() == StoreFrames.ADD) {
                sum = table.add(request.key(), request.number());
            } else {
                table.set(request.key(), request.value());
            }
            return new Response(request.id(), StoreFrames.DONE, sum, NOTHING);
        } catch (RpcException | IllegalArgumentException e) {
            return failed(request, e);
        }
    }

    private static Response failed(Request request, RuntimeException failure) {
        int status =
                failure instanceof RpcTimeoutException ? StoreFrames.ABSENT : StoreFrames.FAILED;
        byte[] why = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
        return new Response(request.id(), status, 0, why);
    }

    private boolean startWait(Request request, DataOutputStream out) {
        Thread wait = Thread.ofVirtual().unstarted(() -> await(request, out));
        synchronized (waits) {
            if (ended || waits.size() >= StoreLimits.MAX_WAITS || !allWaits.enter(source)) {
                return false;
            }
            waits.add(wait);
        }
        wait.start();
        return true;
    }

    private void await(Request request, DataOutputStream out) {
        try {
            Response response;
            try {
                byte[] value = table.get(request.key(), Duration.ofMillis(request.number()));
                requireAccepted(); // the certificate may have expired during the wait
                response = new Response(request.id(), StoreFrames.DONE, 0, value);
            } catch (RpcException e) {
                response = failed(request, e);
            }
            send(out, response);
        } catch (IOException e) {
            logEnd(e);
        } finally {
            allWaits.leave(source);
            synchronized (waits) {
                waits.remove(Thread.currentThread());
            }
        }
    }

    private void endWaits() {
        synchronized (waits) {
            ended = true;
            waits.forEach(Thread::interrupt);
        }
    }

    private static void send(DataOutputStream out, Response response) throws IOException {
        synchronized (out) {
            StoreFrames.write(out, response);
        }
    }

    private static void logEnd(Exception cause) {
        LOGGER.log(Level.DEBUG, "a connection to the store ended: {0}", cause.getMessage());
    }

    void close() {
        StoreAcceptor.closeQuietly(channel);
    }
}
