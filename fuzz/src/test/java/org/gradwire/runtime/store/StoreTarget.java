package org.gradwire.runtime.store;

import org.gradwire.spi.DecodingException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Fuzz target: the frames of the TCP store, as its server ({@code Q}) or its client ({@code R})
 * reads them, by the first byte.
 */
public final class StoreTarget {
    private StoreTarget() {}

    /** Decode a stream of frames. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var in = new DataInputStream(new ByteArrayInputStream(input, 1, input.length - 1));
        try {
            while (true) {
                readOne(input[0] == 'Q', in);
            }
        } catch (DecodingException | IOException _) { // the expected end of any stream
        }
    }

    private static void readOne(boolean isRequest, DataInputStream in) throws IOException {
        if (isRequest) {
            StoreFrames.Request request = StoreFrames.readRequest(in);
            if (request.key().length() > 3 * StoreLimits.MAX_KEY_LENGTH) {
                throw new AssertionError("a key of %d".formatted(request.key().length()));
            }
            StoreFrames.write(new DataOutputStream(new ByteArrayOutputStream()), request);
            if (request.operation() == StoreFrames.COMPARE_AND_SET
                    || request.operation() == StoreFrames.WATCH) {
                StoreFrames.Expected.decode(request.value());
            }
        } else {
            StoreFrames.readResponse(in);
        }
    }

    /** {@return a request of each operation, and replies} */
    public static List<byte[]> seeds() throws IOException {
        var requests = new ByteArrayOutputStream();
        requests.write('Q');
        var out = new DataOutputStream(requests);
        for (int operation :
                new int[] {
                    StoreFrames.SET,
                    StoreFrames.GET,
                    StoreFrames.ADD,
                    StoreFrames.ACQUIRE,
                    StoreFrames.RENEW,
                    StoreFrames.RELEASE
                }) {
            StoreFrames.write(
                    out, new StoreFrames.Request(1, operation, 2, "a/key", new byte[] {3}));
        }
        byte[] expected = new StoreFrames.Expected(new byte[] {3}, new byte[] {4}).encode();
        for (int operation : new int[] {StoreFrames.COMPARE_AND_SET, StoreFrames.WATCH}) {
            StoreFrames.write(out, new StoreFrames.Request(1, operation, 2, "a/key", expected));
        }
        var responses = new ByteArrayOutputStream();
        responses.write('R');
        StoreFrames.write(
                new DataOutputStream(responses),
                new StoreFrames.Response(1, StoreFrames.DONE, 2, new byte[] {3}));
        return List.of(requests.toByteArray(), responses.toByteArray());
    }
}
