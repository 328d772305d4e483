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
import java.util.UUID;

/**
 * A log of key and value pairs in a file; the last value of a key is current. It is read
 * incrementally: complete reads would dominate the start of a large group.
 *
 * <p>Its first record is unique, which detects that another file has replaced it. A file above
 * {@link StoreLimits} is refused. Not thread-safe.
 */
final class FileLog {
    private static final String ID = "store/id";

    private final BoundedTable values = new BoundedTable();
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
            write(
                    file,
                    record(ID, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII)));
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
        head = new byte[0];
        end = 0;
    }

    private void readFromEnd(FileChannel file) throws IOException {
        long size = file.size();
        if (size > StoreLimits.MAX_FILE_BYTES) {
            throw damaged(
                    "it has %d bytes, at most %d".formatted(size, StoreLimits.MAX_FILE_BYTES));
        }
        var in = new BufferedInputStream(Channels.newInputStream(file.position(end)));
        parse(in);
        end = size;
    }

    private void parse(BufferedInputStream buffered) throws IOException {
        var in = new DataInputStream(buffered);
        String key = "";
        try {
            while (!isAtEnd(buffered)) {
                key = StoreFrames.readKey(in);
                byte[] value = StoreFrames.readBytes(in);
                if (head.length == 0) {
                    head = firstRecord(key, value);
                }
                values.put(key, value);
            }
        } catch (EOFException | UTFDataFormatException _) {
            throw damaged("after key '" + UntrustedText.quote(key) + "'");
        } catch (RpcException e) {
            throw damaged(e.getMessage());
        }
    }

    private static boolean isAtEnd(BufferedInputStream in) throws IOException {
        in.mark(1);
        boolean atEnd = in.read() < 0;
        in.reset();
        return atEnd;
    }

    private static byte[] firstRecord(String key, byte[] value) throws IOException {
        if (!key.equals(ID)) {
            throw damaged("its first key is '" + UntrustedText.quote(key) + "'");
        }
        return record(key, value);
    }

    private static IOException damaged(String where) {
        return new IOException("it is not a Gradwire store, or damaged (" + where + "); delete it");
    }

    /**
     * Add a record.
     *
     * @param file locked by the caller, and read to its end
     * @throws RpcException if it does not fit; the file has not changed then
     */
    void append(FileChannel file, String key, byte[] value) throws IOException {
        byte[] record = record(key, value);
        values.check(key, value);
        if (end + record.length > StoreLimits.MAX_FILE_BYTES) {
            throw new RpcException(
                    "the store is full: its file has %d bytes and the limit is %d; name another file in gradwire.rendezvous"
                            .formatted(end, StoreLimits.MAX_FILE_BYTES));
        }
        write(file, record);
        end += record.length;
        values.put(key, value);
    }

    private static byte[] record(String key, byte[] value) throws IOException {
        var record = new ByteArrayOutputStream();
        var out = new DataOutputStream(record);
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
