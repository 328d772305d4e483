package org.gradwire.runtime.rref;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * What travels when a reference is sent: seven fields.
 *
 * @param owner id of the worker that holds the value
 * @param rrefId which value
 * @param forkId which copy of the reference; drawn by the parent
 * @param parent id of the worker that sent it, or wrote it into bytes
 * @param type see {@link RRefType}
 */
record ForkData(
        int owner, GloballyUniqueId rrefId, GloballyUniqueId forkId, int parent, RRefType type) {

    void write(Output out) {
        out.writeInt(owner);
        rrefId.write(out);
        forkId.write(out);
        out.writeInt(parent);
        out.writeString(type.text());
    }

    static ForkData read(Input in) {
        return new ForkData(
                in.readInt(),
                GloballyUniqueId.read(in),
                GloballyUniqueId.read(in),
                in.readInt(),
                RRefType.parse(in.readString()));
    }
}
