package org.gradwire.bench.jmh;

import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Encodes and decodes a small call (a name and three numbers) and the header of a tensor. {@code
 * ./gradwire bench --jmh Codec}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private final WireCodec codec =
            new WireCodec(new Values(List.of(), CodecBenchmark.class.getClassLoader()), List.of());
    private final byte[] name =
            "aten::add.Tensor".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private final List<Long> numbers = List.of(1L, 2L, 3L);
    private final MemorySegment elements = MemorySegment.ofArray(new float[4]);
    private final Message call = encodeCall();
    private final Message tensor = encodeTensorHeader();

    @Benchmark
    public Message encodeCall() {
        WireOutput out = codec.begin(1, false);
        out.writeInt(0);
        out.writeBytes(name);
        out.writeInt(numbers.size());
        for (Long number : numbers) {
            out.writeValue(number);
        }
        Message message = out.toMessage(MessageTypes.SCRIPT_CALL);
        codec.giveBack(out);
        return message;
    }

    @Benchmark
    public long decodeCall() {
        WireInput in = codec.open(0, call).body();
        long sum = (long) in.readInt() + in.readBytes().length;
        for (int left = in.readInt(); left > 0; left--) {
            sum += in.readValue() instanceof Long number ? number : 0;
        }
        return sum;
    }

    @Benchmark
    public Message encodeTensorHeader() {
        WireOutput out = codec.begin(1, false);
        out.writeInt(1);
        out.writeBoolean(false);
        out.writeInt(2);
        out.writeInt(2);
        out.writeInt(2);
        out.writeBoolean(true);
        out.writeBuffer(elements, null);
        Message message = out.toMessage(MessageTypes.SCRIPT_CALL);
        codec.giveBack(out);
        return message;
    }

    @Benchmark
    public long decodeTensorHeader() {
        WireInput in = codec.open(0, tensor).body();
        long sum = (long) in.readInt() + (in.readBoolean() ? 1 : 0);
        for (int left = in.readInt(); left > 0; left--) {
            sum += in.readInt();
        }
        return sum + (in.readBoolean() ? in.readBuffer().byteSize() : 0);
    }
}
