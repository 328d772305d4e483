package org.gradwire.runtime.rref;

import org.gradwire.spi.Input;
import org.gradwire.spi.Output;

/**
 * The wire form of a reference: seven fields.
 *
 * @param owner id of the worker that holds the value
 * @param rrefId the value
 * @param forkId the fork; drawn by the parent
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
