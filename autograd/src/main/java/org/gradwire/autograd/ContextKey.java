package org.gradwire.autograd;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The name of a context in messages: its id, which could be guessed, and a secret that only workers
 * know which take part in it.
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
        return ContextContainer.creator(id);
    }

    @Override
    public int compareTo(ContextKey other) {
        int byId = Long.compare(id, other.id);
        return byId != 0 ? byId : Long.compare(secret, other.secret);
    }
}
