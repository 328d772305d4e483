package org.gradwire.runtime.call;

import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.thread.InFlightCounter;
import org.gradwire.runtime.thread.WorkerThreads;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Sends the requests that are not calls: control messages of the runtime, and requests of
 * extensions. Neither interceptors nor flow control see them. Thread-safe.
 */
public final class RequestSender {
    private final MessageFactory messages;
    private final WorkerThreads threads;
    private final ReplyCompletion.Context completions;
    private final RpcAgent agent;
    private final RpcTimeout timeout;

    public RequestSender(
            CallServices services, InFlightCounter outgoing, RpcAgent agent, RpcTimeout timeout) {
        this.messages = new MessageFactory(services.codec());
        this.threads = services.threads();
        this.completions = ReplyCompletion.Context.of(services, outgoing);
        this.agent = agent;
        this.timeout = timeout;
    }

    /**
     * Send a request.
     *
     * @param body writes its content; called once, on this thread
     * @param ownTimeout null means the worker's default
     * @return completes with the content of the reply; its listeners may run on a poller
     */
    public CallFuture<Input> request(
            int to, int type, Consumer<Output> body, @Nullable Duration ownTimeout) {
        return request(to, message(to, type, body), timeout.orDefault(ownTimeout));
    }

    /** As {@link #request(int, int, Consumer, Duration)}, for an encoded message. */
    public CallFuture<Input> request(int to, Message message, Duration ownTimeout) {
        CallFuture<Input> future = threads.newInlineFuture();
        long nanos = ownTimeout.toNanos();
        String subject = MessageTypes.name(message.type());
        var completion = new ReplyCompletion<>(completions, to, subject, nanos, future, in -> in);
        agent.send(to, message, nanos, completion);
        return future;
    }

    Message message(int to, int type, Consumer<Output> body) {
        return messages.plain(to, type, body);
    }

    /** Return messages of the same content to several workers. */
    public MessageFactory.ToAll toAll(int type, Consumer<Output> body) {
        return messages.toAll(type, body);
    }
}
