package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.runtime.store.StoreFrames.Expected;
import org.gradwire.runtime.store.StoreFrames.Request;
import org.gradwire.runtime.store.StoreFrames.Response;
import org.gradwire.spi.DecodingException;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The server's side of one worker's connection: reads requests and replies to them. A waiting read
 * has its own virtual thread, which ends with the connection.
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
    private final SourceLimit leases;
    private final Set<Thread> waits = new HashSet<>(); // of reads; guarded by itself
    private boolean ended; // guarded by the waits

    /**
     * Create a connection of a worker that has proved itself.
     *
     * @param allWaits limits the waiting reads of all connections
     * @param leases limits the leases that workers hold
     */
    StoreConnection(
            StoreAcceptor.Admission worker,
            WaitingMap table,
            SourceLimit allWaits,
            SourceLimit leases) {
        channel = worker.channel();
        source = worker.source();
        keys = worker.keys();
        certified = worker.certified();
        this.table = table;
        this.allWaits = allWaits;
        this.leases = leases;
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
            case StoreFrames.SET,
                    StoreFrames.ADD,
                    StoreFrames.COMPARE_AND_SET,
                    StoreFrames.ACQUIRE,
                    StoreFrames.RENEW,
                    StoreFrames.RELEASE ->
                    send(out, change(request));
            case StoreFrames.GET, StoreFrames.WATCH -> {
                Response now = readNow(request);
                if (now != null) {
                    send(out, now);
                } else if (!startWait(request, out)) {
                    send(out, failed(request, StoreLimits.tooManyWaits()));
                }
            }
            default -> throw new IOException("unknown operation " + request.operation());
        }
    }

    /** {@return the response to a read; null if it has to wait} */
    private @Nullable Response readNow(Request request) {
        byte[] value = table.find(request.key());
        if (request.operation() == StoreFrames.GET) {
            return value == null ? null : read(request, value);
        }
        return Arrays.equals(value, Expected.decode(request.value()).seen())
                ? null
                : read(request, value);
    }

    private static Response read(Request request, byte @Nullable [] value) {
        return new Response(
                request.id(),
                StoreFrames.DONE,
                value == null ? 0 : 1,
                value == null ? NOTHING : value);
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
            return new Response(request.id(), StoreFrames.DONE, changed(request), NOTHING);
        } catch (DecodingException e) {
            throw e; // ends the connection, like other malformed bytes
        } catch (RpcException | IllegalArgumentException e) {
            return failed(request, e);
        }
    }

    /** Make a change; {@return the number of the response} */
    private long changed(Request request) {
        String key = request.key();
        long number = request.number();
        return switch (request.operation()) {
            case StoreFrames.ADD -> table.add(key, number);
            case StoreFrames.COMPARE_AND_SET -> {
                Expected expected = Expected.decode(request.value());
                yield table.compareAndSet(key, expected.seen(), expected.value()) ? 1 : 0;
            }
            case StoreFrames.ACQUIRE ->
                    table.acquire(
                            key,
                            request.value(),
                            Duration.ofMillis(number),
                            () -> leases.enter(source),
                            () -> leases.leave(source));
            case StoreFrames.RENEW -> table.renew(key, number) ? 1 : 0;
            case StoreFrames.RELEASE -> table.release(key, number) ? 1 : 0;
            default -> {
                table.set(key, request.value());
                yield 0;
            }
        };
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
                byte[] value = awaited(request);
                requireAccepted(); // the certificate may have expired during the wait
                response = read(request, value);
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

    private byte @Nullable [] awaited(Request request) {
        Duration time = Duration.ofMillis(request.number());
        return request.operation() == StoreFrames.GET
                ? table.get(request.key(), time)
                : table.watch(
                        request.key(), Expected.decode(request.value()).seen(), time, () -> false);
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
