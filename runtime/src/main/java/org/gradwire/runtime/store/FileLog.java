package org.gradwire.runtime.store;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UTFDataFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A log of key and value pairs in a file, of which the last one of a key counts, as far as it has
 * been read: each look takes only what others have appended. A group of many workers looks at it
 * all the time, and each reading all of it every time was most of what they did.
 *
 * <p>Its first record is unique, so that another file in its place is told from it. Used by one
 * thread at a time.
 */
final class FileLog {
    private static final String ID = "store/id";

    private final Map<String, byte[]> values = new HashMap<>();
    private byte[] head = {}; // the first record
    private long end; // of what has been read

    /** {@return whether a file of this length has nothing new} */
    boolean ends(long length) {
        return end > 0 && end == length;
    }

    /** {@return the last value of a key that was read; not to be changed} */
    byte @Nullable [] get(String key) {
        return values.get(key);
    }

    /**
     * Read what is new.
     *
     * @param file locked by the caller
     */
    void readOn(RandomAccessFile file) throws IOException {
        if (!isWhatWasRead(file)) {
            forget();
        }
        if (file.length() == 0) {
            write(file, ID, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
        }
        try {
            readFromEnd(file);
        } catch (IOException e) {
            forget(); // it may be mended
            throw e;
        }
    }

    private boolean isWhatWasRead(RandomAccessFile file) throws IOException {
        if (file.length() < end) {
            return false;
        }
        byte[] found = new byte[head.length];
        file.seek(0);
        file.readFully(found);
        return Arrays.equals(found, head);
    }

    private void forget() {
        values.clear();
        head = new byte[0];
        end = 0;
    }

    private void readFromEnd(RandomAccessFile file) throws IOException {
        long length = file.length() - end;
        if (length > Integer.MAX_VALUE) {
            throw damaged("it has " + file.length() + " bytes");
        }
        byte[] content = new byte[(int) length];
        file.seek(end);
        file.readFully(content);
        parse(content);
        end += length;
    }

    private void parse(byte[] content) throws IOException {
        var in = new DataInputStream(new ByteArrayInputStream(content));
        String key = "";
        try {
            while (in.available() > 0) {
                key = in.readUTF();
                int length = in.readInt();
                if (length < 0 || length > in.available()) {
                    throw damaged("a value of " + length + " bytes for key '" + key + "'");
                }
                values.put(key, in.readNBytes(length));
                if (head.length == 0) {
                    head = Arrays.copyOf(content, content.length - in.available());
                }
            }
        } catch (EOFException | UTFDataFormatException _) {
            throw damaged("after key '" + key + "'");
        }
    }

    private static IOException damaged(String where) {
        return new IOException("it is not a Gradwire store, or damaged (" + where + "); delete it");
    }

    /**
     * Add a record.
     *
     * @param file locked by the caller, and read to its end
     */
    void append(RandomAccessFile file, String key, byte[] value) throws IOException {
        end += write(file, key, value);
        values.put(key, value);
    }

    private static int write(RandomAccessFile file, String key, byte[] value) throws IOException {
        var record = new ByteArrayOutputStream();
        var out = new DataOutputStream(record);
        out.writeUTF(key);
        out.writeInt(value.length);
        out.write(value);
        file.seek(file.length());
        file.write(record.toByteArray());
        return record.size();
    }
}
