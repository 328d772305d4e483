package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.util.concurrent.atomic.AtomicBoolean;

/** The reply sink of one request. Only the first reply is sent; further ones are only released. */
final class Answer implements ReplySink {

    /** The path of replies back to the caller. Neither method blocks or throws. */
    interface Way {

        void reply(long id, Message reply);

        void refuse(long id, RpcErrorKind kind, String reason);
    }

    private final Way way;
    private final long id;
    private final AtomicBoolean given = new AtomicBoolean();

    Answer(Way way, long id) {
        this.way = way;
        this.id = id;
    }

    @Override
    public void reply(Message reply) {
        if (given.compareAndSet(false, true)) {
            way.reply(id, reply);
        } else {
            reply.release();
        }
    }

    void refuse(RpcErrorKind kind, String reason) {
        if (given.compareAndSet(false, true)) {
            way.refuse(id, kind, reason);
        }
    }
}
