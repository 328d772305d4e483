package org.gradwire.runtime.tests.hostile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.runtime.tests.functions.Values;
import org.gradwire.runtime.tests.functions.Values.Fragile;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.spi.Input;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Messages of a backward pass get a reply even if an error, such as lack of memory, ends them. */
class FailedGradientsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String meeting = "inproc://" + UUID.randomUUID();

    private Rpc join(int rank, String name) {
        return Rpc.init(
                RpcOptions.builder()
                        .rank(rank)
                        .name(name)
                        .dynamicGroup()
                        .backend(TappedBackend.NAME)
                        .rendezvous(meeting)
                        .build());
    }

    @Test
    void gradientsWhoseDecodingThrowsAnErrorGetAReply() {
        Rpc victim = join(0, "victim");
        Rpc other = join(1, TappedBackend.HOSTILE);
        try (AutogradContext context = DistAutograd.context(other)) {
            Tensor leaf = Tensor.ones(2).requiresGrad(true);
            Tensor sum = other.rpcSync("victim", Ops::add, leaf, leaf);
            context.backward(BackwardOptions.fast().retainGraph(), sum.sum());
            Input sound = gradientsOf(TappedBackend.agent(TappedBackend.HOSTILE));
            long contextId = sound.readLong();
            long secret = sound.readLong();
            long messageId = sound.readLong();
            long nextPass = sound.readLong() + 1_000;
            var fragile = new Fragile(1);
            Fragile.breakNext();
            RpcException failure =
                    assertThrows(
                            RpcException.class,
                            () ->
                                    Worker.of(other)
                                            .request(
                                                    victim.self().id(),
                                                    MessageTypes.BACKWARD_AUTOGRAD_REQ,
                                                    out -> {
                                                        out.writeLong(contextId);
                                                        out.writeLong(secret);
                                                        out.writeLong(messageId);
                                                        out.writeLong(nextPass);
                                                        out.writeBoolean(true);
                                                        out.writeInt(1);
                                                        out.writeValue(fragile);
                                                    },
                                                    PATIENCE)
                                            .join());
            assertTrue(
                    failure.getMessage().contains("out of memory, for a test"), failure::toString);
        } finally {
            other.shutdownNow();
            victim.shutdownNow();
        }
    }

    private static Input gradientsOf(TappedBackend.Agent agent) {
        Message message =
                agent.sent().stream()
                        .filter(sent -> sent.type() == MessageTypes.BACKWARD_AUTOGRAD_REQ)
                        .findFirst()
                        .orElseThrow();
        var values = new org.gradwire.runtime.wire.Values(List.of(), Values.class.getClassLoader());
        return new WireCodec(values, List.of()).open(1, message).body();
    }
}
