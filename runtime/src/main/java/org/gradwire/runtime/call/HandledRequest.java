package org.gradwire.runtime.call;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.Output;
import org.gradwire.spi.RequestHandler;

import java.util.List;
import java.util.function.Consumer;

/** A request that a {@link RequestHandler} serves. */
final class HandledRequest implements IncomingRequest {
    private final InboundRequest request;
    private final Input body;

    HandledRequest(InboundRequest request, Input body) {
        this.request = request;
        this.body = body;
    }

    void run(RequestHandler handler) {
        try {
            handler.handle(this);
        } catch (RuntimeException | Error failure) {
            request.fail(failure);
        }
    }

    @Override
    public int from() {
        return request.from();
    }

    @Override
    public Input body() {
        return body;
    }

    @Override
    public void reply(int type, Consumer<Output> writer) {
        request.reply(type, List.of(), writer);
    }

    @Override
    public void fail(Throwable failure) {
        request.fail(failure);
    }

    @Override
    public Runnable keepCounting() {
        return request.keepCounting();
    }
}
