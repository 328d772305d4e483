package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.functions.ScriptFunctions;
import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.Expect;
import org.gradwire.conformance.harness.NestedSuite;
import org.gradwire.conformance.harness.ThreadWorld;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFunction;
import org.gradwire.rpc.RpcFunction.Function4;
import org.gradwire.rpc.RpcScope;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.function.Executable;

import java.util.List;

/** Cases of calls whose values a custom codec encodes. */
public abstract class UdfCodecCases extends NestedSuite {
    private static final String NEXT = "worker1";
    private static final Function4<Tensor, RRef<Tensor>, @Nullable Tensor, Coordinates, Tensor>
            ADD = CodecFunctions::add;
    private static final Coordinates POINT = new Coordinates(1, -2);

    /** For subclasses. */
    protected UdfCodecCases() {}

    private ThreadWorld coded() {
        return world(2).with(new TextCodec("text")).with(new TextCodec("other"));
    }

    private static void expectBuiltIn(Rpc rpc) {
        Expect.failure(
                TypeMismatchException.class,
                "Coordinates cannot be sent: it is not marked @WireValue",
                () -> rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
    }

    @Case("API-003")
    void theScopeSwapsTheCodecOfArgumentsAndResults() {
        coded().runOnRank0(self -> {
            Rpc rpc = self.rpc();
            expectBuiltIn(rpc);
            try (RpcScope _ = rpc.serialization().useCodec("text")) {
                assertEquals(3, rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
                assertEquals(
                        new Coordinates(3, -6), rpc.rpcSync(NEXT, CodecFunctions::scale, POINT, 3));
                assertEquals(
                        new Coordinates(4, -8),
                        rpc.rpcAsync(NEXT, RpcFunction.async(CodecFunctions::scaleLater), POINT, 4)
                                .join());
                assertEquals(
                        List.of(new Coordinates(-2, 1), new Coordinates(4, 3)),
                        rpc.rpcSync(
                                NEXT,
                                CodecFunctions::mirrored,
                                List.of(POINT, new Coordinates(3, 4))));
                RRef<Integer> kept = rpc.remote(NEXT, CodecFunctions::norm, POINT);
                assertEquals(3, kept.toHere());
            }
            expectBuiltIn(rpc);
        });
    }

    @Case("API-003")
    void theBuiltInOneIsRestoredAfterAnException() {
        coded().runOnRank0(self -> {
            Rpc rpc = self.rpc();
            Executable failing =
                    () -> {
                        try (RpcScope _ = rpc.serialization().useCodec("text")) {
                            throw new IllegalStateException("on purpose");
                        }
                    };
            Expect.failure(IllegalStateException.class, "on purpose", failing);
            expectBuiltIn(rpc);
        });
    }

    @Case("API-003")
    void theEndOfAnyScopeRestoresTheBuiltInOne() {
        coded().runOnRank0(self -> {
            Rpc rpc = self.rpc();
            RpcScope outer = rpc.serialization().useCodec("text");
            try (RpcScope _ = rpc.serialization().useCodec("other")) {
                assertEquals(3, rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
            }
            expectBuiltIn(rpc);
            outer.close();
            try (RpcScope _ = rpc.serialization().useCodec("other")) {
                outer.close(); // was closed
                assertEquals(3, rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
            }
            expectBuiltIn(rpc);
        });
    }

    @Case("API-003")
    void onlyTheCallsOfTheThreadsOwnUserFunctionsAreConcerned() {
        coded().runOnRank0(self -> {
            Rpc rpc = self.rpc();
            try (RpcScope _ = rpc.serialization().useCodec("text");
                    RRef<Tensor> rref = rpc.rref(Tensor.ones(2))) {
                Tensor one = Tensor.ones(2);
                Expect.tensor(Tensor.full(3.0, 2), rpc.rpcSync(NEXT, ADD, one, rref, null, POINT));
                Expect.tensor(Tensor.full(2.0, 2), rpc.rpcSync(NEXT, Ops::add, one, one));
                Expect.tensor(Tensor.full(2.0, 2), rpc.rpcSync(NEXT, ScriptFunctions::addOne, one));
                assertEquals(1, rpc.rpcSync(NEXT, CodecFunctions::askWorker0, POINT));
            }
        });
    }

    @Case("API-003")
    void aCodecThatTheCalleeDoesNotKnowIsAClearFailure() {
        world(2).with(new TextCodec("text"), 0)
                .with(new TextCodec("other"), 1)
                .runOnRank0(self -> {
                    Rpc rpc = self.rpc();
                    Expect.failure(
                            IllegalArgumentException.class,
                            "there is no codec 'unheard' here, only \\[text\\]",
                            () -> rpc.serialization().useCodec("unheard"));
                    try (RpcScope _ = rpc.serialization().useCodec("text")) {
                        RpcException e =
                                Expect.failure(
                                        RpcException.class,
                                        "Error on Node 1: there is no codec 'text' here, only \\[other\\]",
                                        () -> rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
                        assertEquals(RpcErrorKind.UNDECODABLE, e.kind());
                        Expect.failure(
                                RpcException.class,
                                "there is no codec 'text' here",
                                () -> rpc.remote(NEXT, CodecFunctions::norm, POINT).toHere());
                    }
                });
    }

    @Case("API-003")
    void whatTheCodecThrowsFailsTheCallAndSaysWhere() {
        coded().runOnRank0(self -> {
            Rpc rpc = self.rpc();
            try (RpcScope _ = rpc.serialization().useCodec("text")) {
                Expect.failure(
                        TypeMismatchException.class,
                        "^codec 'text' cannot encode argument 'point' of .*CodecFunctions\\.norm, a .*Coordinates: .*unlucky",
                        () -> rpc.rpcSync(NEXT, CodecFunctions::norm, new Coordinates(13, 13)));
                RpcException undecodable =
                        Expect.failure(
                                RpcException.class,
                                "^Error on Node 1: codec 'text' cannot decode argument 'point' of .*CodecFunctions\\.norm, a .*Coordinates: .*unreadable",
                                () ->
                                        rpc.rpcSync(
                                                NEXT,
                                                CodecFunctions::norm,
                                                new Coordinates(99, 99)));
                assertEquals(RpcErrorKind.UNDECODABLE, undecodable.kind());
                Expect.failure(
                        TypeMismatchException.class,
                        "On WorkerInfo\\(id=1, name=worker1\\):\\s+codec 'text' cannot encode the result of .*CodecFunctions\\.scale",
                        () -> rpc.rpcSync(NEXT, CodecFunctions::scale, new Coordinates(1, 1), 13));
                RpcException result =
                        Expect.failure(
                                RpcException.class,
                                "^codec 'text' cannot decode the result of .*CodecFunctions\\.scale, a .*Coordinates: .*unreadable",
                                () ->
                                        rpc.rpcSync(
                                                NEXT,
                                                CodecFunctions::scale,
                                                new Coordinates(1, 1),
                                                99));
                assertEquals(RpcErrorKind.UNDECODABLE, result.kind());
                assertEquals(3, rpc.rpcSync(NEXT, CodecFunctions::norm, POINT));
            }
        });
    }
}
