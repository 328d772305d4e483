package org.gradwire.runtime;

import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.Serialization;
import org.gradwire.runtime.call.UdfCodecs;
import org.gradwire.runtime.rref.SavingScopes;
import org.gradwire.runtime.rref.ValueBytes;

/** The implementation of {@link Serialization}. */
record WorkerSerialization(
        WorkerState state, ValueBytes bytes, SavingScopes saving, UdfCodecs udfCodecs)
        implements Serialization {

    @Override
    public byte[] toBytes(Object value) {
        if (state.isStopped()) {
            bytes.refuseDeleted(value); // names the deleted reference rather than the worker's end
        }
        state.requireOpen();
        return bytes.write(value);
    }

    @Override
    public <T> T fromBytes(byte[] saved, Class<T> type) {
        state.requireOpen();
        return bytes.read(saved, type);
    }

    @Override
    public RpcScope allowReferences() {
        state.requireOpen();
        return saving.open();
    }

    @Override
    public RpcScope useCodec(String name) {
        state.requireOpen();
        return udfCodecs.use(name);
    }
}
