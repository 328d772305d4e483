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

/** Some workers in this JVM, which answer each request with what it says, until told otherwise. */
final class World implements AutoCloseable {
    static final int REQUEST = MessageTypes.SCRIPT_CALL;
    static final int REPLY = MessageTypes.SCRIPT_RET;

    /** What a worker saw. */
    record Lost(int peer, RpcException reason) {}

    /** One worker. */
    static final class Node implements AgentListener {
        final WorkerInfo info;
        final LinkedBlockingQueue<Lost> lost = new LinkedBlockingQueue<>();
        volatile AgentListener answer = answering((_, request) -> request);
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
            answer.onRequest(from, request, replies);
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

        long figure(String key) {
            return Long.parseLong(agent.debugInfo().getOrDefault("netty." + key, "-1"));
        }
    }

    /** Makes the message that answers a request. */
    interface Answer {
        Message to(int from, Message request);
    }

    static AgentListener answering(Answer answer) {
        return new AgentListener() {
            @Override
            public void onRequest(int from, Message request, ReplySink replies) {
                Message message = answer.to(from, request);
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

    /** Start a world of so many workers, which all know each other. */
    World(int size, Map<String, String> settings) {
        this(Collections.nCopies(size, settings), BufferAllocator.plain());
        connectAll();
    }

    /** Start a worker with each of these settings; they do not know each other yet. */
    World(List<Map<String, String>> settings, BufferAllocator allocator) {
        try {
            for (Map<String, String> each : settings) {
                start(nodes.size(), each, allocator);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Start one more worker. */
    Node start(int id, Map<String, String> settings, BufferAllocator allocator) {
        var node = new Node(info(id), store, settings, allocator);
        nodes.add(node);
        node.agent.start(node);
        return node;
    }

    /** {@return what a worker's attempt to connect ends with} */
    CompletableFuture<Void> connect(Node from, int... to) {
        List<WorkerInfo> members = IntStream.of(to).mapToObj(World::info).toList();
        return CompletableFuture.runAsync(
                () -> from.agent.connect(members), task -> Thread.ofVirtual().start(task));
    }

    static WorkerInfo info(int id) {
        return new WorkerInfo(id, "worker" + id);
    }

    /** Connect all to all, at the same time as real workers would. */
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
