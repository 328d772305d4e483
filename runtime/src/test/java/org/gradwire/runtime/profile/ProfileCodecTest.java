package org.gradwire.runtime.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.profiler.Profile;
import org.gradwire.profiler.ProfilerEvent;
import org.gradwire.profiler.ProfilerOptions;
import org.gradwire.profiler.ServedProfiles;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.WorkerLocals;
import org.gradwire.runtime.wire.Values;
import org.gradwire.runtime.wire.WireCodec;
import org.gradwire.runtime.wire.WireInput;
import org.gradwire.runtime.wire.WireOutput;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The encoding of profiles. */
class ProfileCodecTest {
    private static final ProfilerEvent EVENT =
            new ProfilerEvent(
                    2,
                    1,
                    "aten::add",
                    Instant.ofEpochSecond(1, 2),
                    Duration.ofNanos(300),
                    1,
                    77,
                    true,
                    true,
                    List.of(List.of(2, 3), List.of()),
                    24);

    private final WireCodec codec =
            new WireCodec(
                    new Values(List.of(), ProfileCodecTest.class.getClassLoader()), List.of());

    private byte[] written(Consumer<Output> body) {
        WireOutput out = codec.begin(1, false);
        body.accept(out);
        byte[] payload = out.toMessage(MessageTypes.UDF_RET).payload();
        codec.giveBack(out);
        return payload;
    }

    private WireInput read(byte[] payload) {
        return codec.open(1, new Message(MessageTypes.UDF_RET, payload, List.of())).body();
    }

    @Test
    void aProfileArrivesAsItWas() {
        ProfilerEvent plain =
                new ProfilerEvent(
                        1,
                        0,
                        "f",
                        Instant.parse("2025-11-21T14:00:00.000000001Z"),
                        Duration.ofHours(3),
                        30_000,
                        Long.MAX_VALUE,
                        true,
                        false,
                        List.of(),
                        0);
        var profile = new Profile(List.of(plain, EVENT), 5);
        assertEquals(
                profile, ProfileCodec.read(read(written(out -> ProfileCodec.write(profile, out)))));
    }

    /** Compares the bytes with docs/PROTOCOL.md, A8. */
    @Test
    void theBytesAreThoseOfTheDocument() {
        byte[] bytes = written(out -> ProfileCodec.write(new Profile(List.of(EVENT), 0), out));
        String expected =
                "00 00 01"
                        + " 02 01 09 6174656e3a3a616464 a602ca9a3b a52c01 01 4d 01"
                        + " 02 020203 00 18";
        assertEquals(expected.replace(" ", ""), HexFormat.of().formatHex(bytes));
    }

    @Test
    void optionsArriveAsTheyWereUpToALimit() {
        for (ProfilerOptions options :
                List.of(
                        ProfilerOptions.DEFAULT.withMaxEvents(1),
                        ProfilerOptions.DEFAULT.withMaxEvents(100_000).withShapes(),
                        ProfilerOptions.DEFAULT.withMaxEvents(9).withMemory())) {
            byte[] bytes = written(out -> ProfileCodec.writeOptions(options, out));
            assertEquals(options, ProfileCodec.readOptions(read(bytes)));
        }
        byte[] many = written(out -> ProfileCodec.writeOptions(ProfilerOptions.DEFAULT, out));
        assertEquals(100_000, ProfileCodec.readOptions(read(many)).maxEvents());
    }

    @Test
    void whatIsCutShortOrMakesNoSenseIsRefused() {
        byte[] bytes = written(out -> ProfileCodec.write(new Profile(List.of(EVENT), 0), out));
        for (int length = 1; length < bytes.length; length++) {
            WireInput in = read(Arrays.copyOf(bytes, length));
            assertThrows(DecodingException.class, () -> ProfileCodec.read(in));
        }
        WireInput tooMany =
                read(
                        written(out -> {
                            out.writeLong(0);
                            out.writeInt(1_000_000);
                        }));
        assertThrows(DecodingException.class, () -> ProfileCodec.read(tooMany));
        WireInput noEvents =
                read(
                        written(out -> {
                            out.writeInt(0);
                            out.writeInt(0);
                        }));
        assertThrows(DecodingException.class, () -> ProfileCodec.readOptions(noEvents));
        WireInput flags =
                read(
                        written(out -> {
                            out.writeInt(8);
                            out.writeInt(1);
                        }));
        assertThrows(DecodingException.class, () -> ProfileCodec.readOptions(flags));
    }

    @Test
    void eventsBeyondTheirLimitAreRefusedBeforeTheyAreMade() {
        WireInput in =
                read(
                        written(out -> {
                            out.writeLong(0);
                            out.writeInt(100_001);
                            for (int i = 0; i < 200_000; i++) {
                                out.writeInt(0);
                            }
                        }));
        assertEquals(
                "count 100001 is not in 0 to 100000",
                assertThrows(DecodingException.class, () -> ProfileCodec.read(in)).getMessage());
    }

    @Test
    void eventsForACallThatIsNotProfiledAreNotRead() {
        WireInput header =
                read(
                        written(out -> {
                            out.writeLong(7);
                            out.writeString("no profile");
                        }));
        int left = header.remaining() - 1; // of the id
        WorkerLocals locals =
                new WorkerLocals() {
                    @Override
                    public <T> T get(Class<T> type, Supplier<? extends T> initial) {
                        return initial.get();
                    }
                };
        Rpc worker =
                (Rpc)
                        Proxy.newProxyInstance(
                                Rpc.class.getClassLoader(),
                                new Class<?>[] {Rpc.class},
                                (_, _, _) -> locals); // no other method is called
        new ProfilingInterceptor(0, ServedProfiles.of(worker)).onReplyIn(header, header);
        assertEquals(left, header.remaining());
    }
}
