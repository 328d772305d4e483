package org.gradwire.autograd.distributed;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of a context in messages: its id, which could be guessed, and a secret that only workers
 * which take part in it know. Its text omits the secret.
 */
record ContextKey(long id, long secret) implements Comparable<ContextKey> {

    void write(Output out) {
        out.writeLong(id);
        out.writeLong(secret);
    }

    static ContextKey read(Input in) {
        return new ContextKey(in.readLong(), in.readLong());
    }

    /** {@return the worker that opened the context} */
    int creator() {
        return GlobalIds.creator(id);
    }

    /**
     * {@return the key in the message that releases the context, which also goes to workers that
     * take no part: the id, and a hash of the secret, which is useless for anything else}
     */
    ContextKey forRelease() {
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES).putLong(id).putLong(secret).array();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new ContextKey(id, ByteBuffer.wrap(hash).getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    @Override
    public int compareTo(ContextKey other) {
        int byId = Long.compare(id, other.id);
        return byId != 0 ? byId : Long.compare(secret, other.secret);
    }

    @Override
    public String toString() {
        return "autograd context " + id;
    }
}
