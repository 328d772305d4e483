package org.gradwire.runtime.store;

import org.gradwire.spi.DecodingException;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The bytes of the TCP store, big endian. {@code docs/PROTOCOL.md} describes the conversation.
 *
 * <pre>
 * request   id:8  operation:1  number:8  key:2+n  value:4+n     number = amount, or timeout in ms
 * response  id:8  status:1     number:8  value:4+n              status 0 = done, 1 = failed, the value says why
 * </pre>
 */
final class StoreFrames {
    static final int MAGIC = 0x47575354; // "GWST"
    static final int VERSION = 1;
    static final int NONCE_BYTES = 16;
    static final int PROOF_BYTES = 32;

    static final int SET = 1;
    static final int GET = 2;
    static final int ADD = 3;

    static final int DONE = 0;
    static final int FAILED = 1;

    record Request(long id, int operation, long number, String key, byte[] value) {}

    record Response(long id, int status, long number, byte[] value) {}

    private StoreFrames() {}

    /** Write a request whose key and value are within {@link StoreLimits}. */
    static void write(DataOutputStream out, Request request) throws IOException {
        out.writeLong(request.id);
        out.writeByte(request.operation);
        out.writeLong(request.number);
        out.writeUTF(request.key);
        writeBytes(out, request.value);
        out.flush();
    }

    static Request readRequest(DataInputStream in) throws IOException {
        return new Request(
                in.readLong(), in.readByte(), in.readLong(), in.readUTF(), readBytes(in));
    }

    static void write(DataOutputStream out, Response response) throws IOException {
        out.writeLong(response.id);
        out.writeByte(response.status);
        out.writeLong(response.number);
        writeBytes(out, response.value);
        out.flush();
    }

    static Response readResponse(DataInputStream in) throws IOException {
        return new Response(in.readLong(), in.readByte(), in.readLong(), readBytes(in));
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > StoreLimits.MAX_VALUE_BYTES) {
            throw new DecodingException(
                    "store frame with a value of %d bytes; at most %d"
                            .formatted(length, StoreLimits.MAX_VALUE_BYTES));
        }
        return in.readNBytes(length);
    }

    /** {@return what proves to the server that the client knows the token} */
    static byte[] proof(String token, byte[] nonce) {
        try {
            byte[] key =
                    MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(StandardCharsets.UTF_8));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(nonce);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256 and HmacSHA256", e);
        }
    }
}
