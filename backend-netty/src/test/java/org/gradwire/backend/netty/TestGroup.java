package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Workers in this JVM, which echo requests unless a test replaces their listener. */
final class TestGroup implements AutoCloseable {
    static final int REQUEST = MessageTypes.SCRIPT_CALL;
    static final int REPLY = MessageTypes.SCRIPT_RET;

    /** The loss of a peer, as reported to a listener. */
    record Lost(int peer, RpcException reason) {}

    /** A worker, which is the listener of its agent. */
    static final class Node implements AgentListener {
        final WorkerInfo info;
        final LinkedBlockingQueue<Lost> lost = new LinkedBlockingQueue<>();
        volatile AgentListener listener = replying((_, request) -> request);
        final RpcAgent agent;

        Node(
                WorkerInfo info,
                Store store,
                Map<String, String> settings,
                BufferAllocator allocator) {
            this.info = info;
            var context = new AgentContext(info, MapSettings.with(settings), store, allocator);
            agent = new NettyProvider().create(context);
        }

        @Override
        public void onRequest(int from, Message request, ReplySink replies) {
            listener.onRequest(from, request, replies);
        }

        @Override
        public void onPeerLost(int peer, RpcException reason) {
            lost.add(new Lost(peer, reason));
        }

        Lost awaitLost() throws InterruptedException {
            Lost one = lost.poll(20, TimeUnit.SECONDS);
            if (one == null) {
                throw new AssertionError("no peer was lost");
            }
            return one;
        }

        CompletableFuture<Message> call(int to, Message request, long timeoutMillis) {
            var reply = new CompletableFuture<Message>();
            agent.send(
                    to,
                    request,
                    TimeUnit.MILLISECONDS.toNanos(timeoutMillis),
                    new ReplyHandler() {
                        @Override
                        public void onReply(Message message) {
                            completeOnce(reply.complete(message));
                        }

                        @Override
                        public void onFailure(RuntimeException failure) {
                            completeOnce(reply.completeExceptionally(failure));
                        }

                        private void completeOnce(boolean isFirst) {
                            if (!isFirst) {
                                throw new AssertionError("a call ended twice");
                            }
                        }
                    });
            return reply;
        }

        CompletableFuture<Message> call(int to, Message request) {
            return call(to, request, 30_000);
        }

        long metric(String key) {
            return Long.parseLong(agent.debugInfo().getOrDefault("netty." + key, "-1"));
        }
    }

    /** Computes the reply to a request. */
    interface Function {
        Message reply(int from, Message request);
    }

    static AgentListener replying(Function function) {
        return new AgentListener() {
            @Override
            public void onRequest(int from, Message request, ReplySink replies) {
                Message message = function.reply(from, request);
                replies.reply(new Message(REPLY, message.payload(), message.buffers()));
            }

            @Override
            public void onPeerLost(int peer, RpcException reason) {}
        };
    }

    static Message request(byte[] payload, MemorySegment... buffers) {
        return new Message(REQUEST, payload, List.of(buffers));
    }

    final MapStore store = new MapStore();
    final List<Node> nodes = new ArrayList<>();

    /** Start workers with ids from 0, and connect all of them. */
    TestGroup(int size, Map<String, String> settings) {
        this(Collections.nCopies(size, settings), BufferAllocator.plain());
        connectAll();
    }

    /** Start a worker with each of the settings, without connecting them. */
    TestGroup(List<Map<String, String>> settings, BufferAllocator allocator) {
        try {
            for (Map<String, String> each : settings) {
                start(nodes.size(), each, allocator);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Start another worker. */
    Node start(int id, Map<String, String> settings, BufferAllocator allocator) {
        var node = new Node(info(id), store, settings, allocator);
        nodes.add(node);
        node.agent.start(node);
        return node;
    }

    /** {@return the outcome of a worker's attempt to connect} */
    CompletableFuture<Void> connect(Node from, int... to) {
        List<WorkerInfo> members = IntStream.of(to).mapToObj(TestGroup::info).toList();
        return CompletableFuture.runAsync(
                () -> from.agent.connect(members), task -> Thread.ofVirtual().start(task));
    }

    static WorkerInfo info(int id) {
        return new WorkerInfo(id, "worker" + id);
    }

    /** Connect all workers with each other, concurrently. */
    void connectAll() {
        List<WorkerInfo> members = nodes.stream().map(node -> node.info).toList();
        List<CompletableFuture<Void>> done =
                nodes.stream()
                        .map(node ->
                                CompletableFuture.runAsync(
                                        () -> node.agent.connect(members),
                                        task -> Thread.ofVirtual().start(task)))
                        .toList();
        done.forEach(CompletableFuture::join);
    }

    Node node(int id) {
        return nodes.get(id);
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.agent.close());
    }
}
