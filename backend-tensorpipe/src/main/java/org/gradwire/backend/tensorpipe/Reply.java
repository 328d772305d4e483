package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Takes the reply to one request, once. Thread-safe. */
abstract class Reply implements ReplySink {
    private static final VarHandle GIVEN = handle();

    private final long id;

    @SuppressWarnings("UnusedVariable") // through the handle
    private volatile boolean given;

    /** Create one to a request. */
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

    /** Send the reply, which is released in the end; must not throw. */
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
