package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Changes of a run's keys that take effect once, although their requests may be repeated.
 *
 * <p>Each change also writes the key of its writer, and requires that the writer has not changed
 * since its last one. So of two requests for one change, the second finds the number of the change
 * and has no effect. Thread-safe.
 */
final class Writers {
    private final EtcdClient client;
    private final Run run;
    private final String clientId;
    private final Deque<Writer> idle = new ArrayDeque<>(); // guarded by this
    private int count; // guarded by this

    /** A writer, used by one thread at a time; {@code revision} is that of its last change. */
    private static final class Writer {
        private final byte[] key;
        private long revision;
        private long changes;

        private Writer(byte[] key) {
            this.key = key;
        }
    }

    /**
     * The result of a change.
     *
     * @param isMade false if its conditions did not hold
     * @param entry the key that it was about, as it was then; absent if the change was made
     */
    record Outcome(boolean isMade, Json entry) {}

    Writers(EtcdClient client, Run run, String clientId) {
        this.client = client;
        this.run = run;
        this.clientId = clientId;
    }

    private synchronized Writer take() {
        Writer writer = idle.poll();
        return writer == null ? new Writer(run.keys().writer(clientId, count++)) : writer;
    }

    private synchronized void put(Writer writer) {
        idle.push(writer);
    }

    /**
     * Make a change if its conditions hold.
     *
     * @throws RpcException if etcd cannot be reached; the change may be made later, once
     */
    Outcome change(byte[] entry, Txn txn) {
        Writer writer = take();
        byte[] number = Long.toString(++writer.changes).getBytes(StandardCharsets.US_ASCII);
        txn.ifPresent(run.keys().open())
                .ifRevision(writer.key, writer.revision)
                .put(writer.key, number, run.lease())
                .elseRead(entry)
                .elseRead(writer.key)
                .elseRead(run.keys().open());
        // If this throws, the writer is not used again: the request may still have its effect.
        Json reply = client.post("kv/txn", txn.body(), RunEntry.REQUEST_TIME);
        if (reply.get("succeeded").isTrue()) {
            writer.revision = reply.get("header").get("revision").number();
            put(writer);
            return new Outcome(true, new Json(null));
        }
        return refused(writer, number, reply);
    }

    private Outcome refused(Writer writer, byte[] number, Json reply) {
        if (RunEntry.read(reply, 2).isAbsent()) {
            throw client.ended();
        }
        Json last = RunEntry.read(reply, 1);
        boolean isMade = Arrays.equals(last.get("value").bytes(), number);
        long revision = last.get("mod_revision").number();
        if (!isMade && revision != writer.revision) {
            throw new RpcException("another client of etcd has changed the keys of this worker");
        }
        writer.revision = revision;
        put(writer);
        return new Outcome(isMade, isMade ? new Json(null) : RunEntry.read(reply, 0));
    }
}
