package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A log of key and value pairs in a file; the last value of a key is current, unless the key was
 * removed after it. It is read incrementally: complete reads would dominate the start of a large
 * group.
 *
 * <p>A key with a lease has a stamp in the file, which its holder changes in place. A reader that
 * sees the same stamp for the time to live removes the key; so processes need no common clock.
 *
 * <p>Its first record is unique, which detects that another file has replaced it. A file above
 * {@link StoreLimits} is refused. Not thread-safe.
 */
final class FileLog {
    private static final String ID = "store/id";
    private static final int VALUE = 1; // kinds of records
    private static final int REMOVAL = 2;
    private static final int LEASED = 3;

    private final BoundedTable values = new BoundedTable();
    private final Map<String, FileLease> leases = new HashMap<>();
    private byte[] head = {}; // the first record
    private long end; // of the part read so far

    /** {@return whether a file of this length was read to its end} */
    boolean ends(long length) {
        return end > 0 && end == length;
    }

    /** {@return the current value of a key, which must not be changed} */
    byte @Nullable [] get(String key) {
        return values.get(key);
    }

    /** {@return whether the key has a lease that may have ended} */
    boolean isOverdue(String key) {
        FileLease lease = leases.get(key);
        return lease != null && lease.isOverdue();
    }

    /**
     * Read the new records.
     *
     * @param file locked by the caller
     */
    void readOn(FileChannel file) throws IOException {
        if (!isWhatWasRead(file)) {
            forget();
        }
        if (file.size() == 0) {
            byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
            write(file, record(VALUE, ID, id));
        }
        try {
            readFromEnd(file);
        } catch (IOException e) {
            forget(); // it may be repaired
            throw e;
        }
    }

    private boolean isWhatWasRead(FileChannel file) throws IOException {
        if (file.size() < end) {
            return false;
        }
        byte[] found = Channels.newInputStream(file.position(0)).readNBytes(head.length);
        return Arrays.equals(found, head);
    }

    private void forget() {
        values.clear();
        leases.clear();
        head = new byte[0];
        end = 0;
    }

    private void readFromEnd(FileChannel file) throws IOException {
        long size = file.size();
        if (size > StoreLimits.MAX_FILE_BYTES) {
            throw damaged(
                    "it has %d bytes, at most %d".formatted(size, StoreLimits.MAX_FILE_BYTES));
        }
        parse(new BufferedInputStream(Channels.newInputStream(file.position(end))), end);
        end = size;
    }

    private void parse(BufferedInputStream buffered, long start) throws IOException {
        var counted = new CountedInput(buffered);
        var in = new DataInputStream(counted);
        String last = "";
        try {
            while (!isAtEnd(buffered)) {
                last = parseRecord(in, start, counted);
            }
        } catch (EOFException | UTFDataFormatException _) {
            throw damaged("after key '" + UntrustedText.quote(last) + "'");
        } catch (RpcException e) {
            throw damaged(e.getMessage());
        }
    }

    /** {@return the key of the record} */
    private String parseRecord(DataInputStream in, long start, CountedInput counted)
            throws IOException {
        int kind = in.readUnsignedByte();
        if (kind < VALUE || kind > LEASED) {
            throw damaged("it has a record of kind " + kind);
        }
        FileLease lease = kind == LEASED ? FileLease.read(in, start + counted.count()) : null;
        String key = StoreFrames.readKey(in);
        byte[] value = StoreFrames.readBytes(in);
        if (head.length == 0) {
            head = firstRecord(kind, key, value);
        }
        apply(kind, key, value, lease);
        return key;
    }

    private void apply(int kind, String key, byte[] value, @Nullable FileLease lease) {
        if (kind == REMOVAL) {
            values.remove(key);
            leases.remove(key);
            return;
        }
        values.put(key, value);
        if (lease != null) {
            leases.put(key, lease);
        }
    }

    private static boolean isAtEnd(BufferedInputStream in) throws IOException {
        in.mark(1);
        boolean atEnd = in.read() < 0;
        in.reset();
        return atEnd;
    }

    private static byte[] firstRecord(int kind, String key, byte[] value) throws IOException {
        if (kind != VALUE || !key.equals(ID)) {
            throw damaged("its first key is '" + UntrustedText.quote(key) + "'");
        }
        return record(kind, key, value);
    }

    private static IOException damaged(String where) {
        return new IOException("it is not a Gradwire store, or damaged (" + where + "); delete it");
    }

    /**
     * Write a value.
     *
     * @param file locked by the caller, and read to its end
     * @throws RpcException if it does not fit; the file has not changed then
     */
    void append(FileChannel file, String key, byte[] value) throws IOException {
        values.check(key, value);
        append(file, record(VALUE, key, value));
        values.put(key, value);
    }

    /** Create a key with a lease; otherwise like {@link #append}. */
    void appendLeased(FileChannel file, String key, byte[] value, long id, long lifeNanos)
            throws IOException {
        values.check(key, value);
        var lease = new FileLease(end + 1, id, lifeNanos, 0, System.nanoTime());
        var record = new ByteArrayOutputStream();
        record.write(LEASED);
        record.write(lease.encode());
        byte[] rest = record(VALUE, key, value);
        record.write(rest, 1, rest.length - 1);
        append(file, record.toByteArray());
        apply(LEASED, key, value, lease);
    }

    /** Remove a key; otherwise like {@link #append}. */
    private void remove(FileChannel file, String key) throws IOException {
        append(file, record(REMOVAL, key, new byte[0]));
        apply(REMOVAL, key, new byte[0], null);
    }

    /** Remove a key if its lease has ended; otherwise like {@link #append}. */
    void removeIfEnded(FileChannel file, String key) throws IOException {
        FileLease lease = leases.get(key);
        if (lease == null || !lease.isOverdue()) {
            return;
        }
        FileLease present = lease.readAgain(file);
        if (present.isOverdue()) {
            remove(file, key);
        } else {
            leases.put(key, present);
        }
    }

    /** Renew a lease; {@return false if the key does not have it} */
    boolean renew(FileChannel file, String key, long id) throws IOException {
        FileLease lease = leases.get(key);
        if (lease == null || lease.id() != id) {
            return false;
        }
        leases.put(key, lease.readAgain(file).renew(file));
        return true;
    }

    /** Remove a key, if it has a lease; {@return whether it had} */
    boolean release(FileChannel file, String key, long id) throws IOException {
        FileLease lease = leases.get(key);
        if (lease == null || lease.id() != id) {
            return false;
        }
        remove(file, key);
        return true;
    }

    private void append(FileChannel file, byte[] record) throws IOException {
        if (end + record.length > StoreLimits.MAX_FILE_BYTES) {
            throw new RpcException(
                    "the store is full: its file has %d bytes and the limit is %d; name another file in gradwire.rendezvous"
                            .formatted(end, StoreLimits.MAX_FILE_BYTES));
        }
        write(file, record);
        end += record.length;
    }

    private static byte[] record(int kind, String key, byte[] value) throws IOException {
        var record = new ByteArrayOutputStream();
        var out = new DataOutputStream(record);
        out.writeByte(kind);
        out.writeUTF(key);
        out.writeInt(value.length);
        out.write(value);
        return record.toByteArray();
    }

    private static void write(FileChannel file, byte[] record) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        file.position(file.size());
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }
}
