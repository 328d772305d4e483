package org.gradwire.conformance.processes;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.stream.RemoteStream;
import org.gradwire.rpc.stream.StreamOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Program of a worker that streams tensors to others. Reads commands and replies to each with a
 * line: {@code read} takes a number of values from a worker and keeps the stream open, {@code rest}
 * reads on until it fails, {@code closed} waits until a stream that this worker makes is closed.
 */
public final class StreamWorker {
    private static final StreamOptions OPTIONS = StreamOptions.DEFAULT.withCredits(16);

    private final Rpc rpc;
    private Iterator<Tensor> values = Stream.<Tensor>of().iterator();

    private StreamWorker(Rpc rpc) {
        this.rpc = rpc;
    }

    /** The streams of a worker, of which it makes one. */
    private static final class Made {
        private final CountDownLatch closed = new CountDownLatch(1);
    }

    private static Made made(Rpc rpc) {
        return rpc.locals().get(Made.class, Made::new);
    }

    /** {@return tensors of one number each, from 0, without an end} */
    @RemoteCallable
    public static Stream<Tensor> numbers() {
        Made made = made(Rpc.current());
        return Stream.iterate(0f, i -> i + 1)
                .map(i -> Tensor.of(i))
                .onClose(made.closed::countDown);
    }

    /** Join the group that the environment describes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Rpc rpc = Rpc.init(RpcOptions.fromEnvironment());
        CommandLoop.run(rpc, new StreamWorker(rpc)::obey);
    }

    private String obey(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "read" -> read(words[1], Integer.parseInt(words[2]));
            case "rest" -> rest();
            case "closed" -> {
                made(rpc).closed.await();
                yield "done";
            }
            default -> throw CommandLoop.unknown(words);
        };
    }

    private String read(String from, int count) {
        Call<Stream<Tensor>> call = Call.to(StreamWorker::numbers);
        values = RemoteStream.ofStream(rpc, from, call, OPTIONS).iterator();
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values.next().item();
        }
        return "sum=" + sum;
    }

    private String rest() {
        try {
            while (values.hasNext()) {
                values.next();
            }
            return "end";
        } catch (RpcException e) {
            return e.kind().name();
        }
    }
}
