package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The sink of the reply to one request, which accepts the first reply only. Thread-safe. */
abstract class Reply implements ReplySink {
    private static final VarHandle GIVEN = handle();

    private final long id;

    @SuppressWarnings("UnusedVariable") // through the handle
    private volatile boolean given;

    /** Create the sink for a request. */
    Reply(long id) {
        this.id = id;
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(Reply.class, "given", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** Send the reply, and release it at last; must not throw. */
    abstract void send(long toRequest, Message reply);

    @Override
    public final void reply(Message reply) {
        if (GIVEN.compareAndSet(this, false, true)) {
            send(id, reply);
        } else {
            reply.release();
        }
    }
}
