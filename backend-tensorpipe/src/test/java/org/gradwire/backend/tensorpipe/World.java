package org.gradwire.backend.tensorpipe;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A group of workers in this JVM, which by default reply to each request with its content. */
public final class World implements AutoCloseable {
    public static final int REQUEST = MessageTypes.SCRIPT_CALL;
    public static final int REPLY = MessageTypes.SCRIPT_RET;

    /** A reported loss of a peer. */
    public record Lost(int peer, RpcException reason) {}

    /** A worker of the group. */
    public static final class Node implements AgentListener {
        final WorkerInfo info;
        public final LinkedBlockingQueue<Lost> lost = new LinkedBlockingQueue<>();
        public final List<String> threads = new CopyOnWriteArrayList<>();
        public volatile AgentListener answer = answering((_, request) -> request);
        public final RpcAgent agent;

        public Node(WorkerInfo info, Store store, Map<String, String> settings) {
            this(info, store, settings, BufferAllocator.plain());
        }

        Node(
                WorkerInfo info,
                Store store,
                Map<String, String> settings,
                BufferAllocator allocator) {
            this.info = info;
            var context = new AgentContext(info, MapSettings.with(settings), store, allocator);
            agent = new TensorPipeProvider().create(context);
        }

        @Override
        public void onRequest(int from, Message request, ReplySink replies) {
            threads.add(Thread.currentThread().getName());
            answer.onRequest(from, request, replies);
        }

        @Override
        public void onPeerLost(int peer, RpcException reason) {
            lost.add(new Lost(peer, reason));
        }

        public Lost awaitLost() throws InterruptedException {
            Lost one = lost.poll(20, TimeUnit.SECONDS);
            if (one == null) {
                throw new AssertionError("no peer was lost");
            }
            return one;
        }

        public CompletableFuture<Message> call(int to, Message request, long timeoutMillis) {
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

        public CompletableFuture<Message> call(int to, Message request) {
            return call(to, request, 30_000);
        }

        public long figure(String key) {
            return Long.parseLong(agent.debugInfo().getOrDefault("tensorpipe." + key, "-1"));
        }

        public String text(String key) {
            return agent.debugInfo().getOrDefault("tensorpipe." + key, "");
        }
    }

    /** Creates the reply to a request. */
    interface Answer {
        Message to(int from, Message request);
    }

    public static AgentListener answering(Answer answer) {
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

    public static AgentListener silent() {
        return new AgentListener() {
            @Override
            public void onRequest(int from, Message request, ReplySink replies) {}

            @Override
            public void onPeerLost(int peer, RpcException reason) {}
        };
    }

    public static Message request(byte[] payload, MemorySegment... buffers) {
        return new Message(REQUEST, payload, List.of(buffers));
    }

    public final MapStore store = new MapStore();
    public final List<Node> nodes = new ArrayList<>();

    /** Start a group of workers, which all know each other. */
    public World(int size, Map<String, String> settings) {
        this(size, settings, BufferAllocator.plain());
    }

    public World(int size, Map<String, String> settings, BufferAllocator allocator) {
        try {
            IntStream.range(0, size)
                    .forEach(id -> nodes.add(new Node(info(id), store, settings, allocator)));
            nodes.forEach(node -> node.agent.start(node));
            connectAll();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    public static WorkerInfo info(int id) {
        return new WorkerInfo(id, "worker" + id);
    }

    /** Connect all workers to all others, concurrently. */
    public void connectAll() {
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

    public Node node(int id) {
        return nodes.get(id);
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.agent.close());
    }
}
