package org.gradwire.launcher.secure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The request of a launcher for certificates of its workers.
 *
 * <pre>
 * request  magic:4 version:1 secret:16 world size:4 rank offset:4 name prefix:2+n workers:4 workers * (certificate request:2+n)
 * reply    status:1 text:2+n                              status 1: refused, and the reason
 *          status:1 identity:2+n token:2+n authority:2+n workers * (certificate:2+n)          status 0
 * then     confirmation:1                                by the launcher, when it has the certificates
 * </pre>
 *
 * @param secret of the join token
 * @param requests for certificates, PKCS #10 in PEM, one for each worker
 */
record JoinRequest(
        byte[] secret, int worldSize, int rankOffset, String namePrefix, List<String> requests) {
    static final int ACCEPTED = 0;
    static final int REFUSED = 1;
    static final int CONFIRMED = 1;

    private static final int MAGIC = 0x4757_4a4e; // "GWJN"
    private static final int VERSION = 1;
    private static final int MAX_WORKERS = 1024;
    private static final int MAX_TEXT = 8 << 10;
    private static final long MAX_SKIPPED = (long) MAX_WORKERS * MAX_TEXT;

    /**
     * The certificates for a launcher's workers.
     *
     * @param identity pattern of the names in the certificates
     * @param token of the group
     * @param authority its certificate, PEM
     * @param certificates PEM, in the order of the requests
     */
    record Reply(String identity, String token, String authority, List<String> certificates) {}

    void write(DataOutputStream out) throws IOException {
        out.writeInt(MAGIC);
        out.writeByte(VERSION);
        out.write(secret);
        out.writeInt(worldSize);
        out.writeInt(rankOffset);
        out.writeUTF(namePrefix);
        out.writeInt(requests.size());
        for (String request : requests) {
            out.writeUTF(request);
        }
        out.flush();
    }

    /**
     * Read a request.
     *
     * @param isOpen decides from the secret whether the rest is read
     * @throws IOException if it is malformed
     */
    static JoinRequest read(DataInputStream in, SecretCheck isOpen) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("no launcher of Gradwire");
        }
        int version = in.readByte();
        if (version != VERSION) {
            throw new JoinRefusedException(
                    "it speaks version %d of the join protocol, this launcher version %d; all launchers need the same release of Gradwire"
                            .formatted(version, VERSION));
        }
        byte[] secret = in.readNBytes(JoinToken.SECRET_BYTES);
        isOpen.check(secret);
        int worldSize = in.readInt();
        int rankOffset = in.readInt();
        String prefix = text(in);
        int workers = in.readInt();
        if (workers < 1 || workers > MAX_WORKERS) {
            throw new JoinRefusedException(
                    "%d workers; expected 1 to %d".formatted(workers, MAX_WORKERS));
        }
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            requests.add(text(in));
        }
        return new JoinRequest(secret, worldSize, rankOffset, prefix, requests);
    }

    /** Decides whether a secret is that of the token. */
    interface SecretCheck {
        /**
         * Check it.
         *
         * @throws JoinRefusedException when it is not
         */
        void check(byte[] secret) throws JoinRefusedException;
    }

    private static String text(DataInputStream in) throws IOException {
        String text = in.readUTF();
        if (text.length() > MAX_TEXT) {
            throw new JoinRefusedException(
                    "a text of %d characters; at most %d".formatted(text.length(), MAX_TEXT));
        }
        return text;
    }

    static void write(DataOutputStream out, Reply reply) throws IOException {
        out.writeByte(ACCEPTED);
        out.writeUTF(reply.identity);
        out.writeUTF(reply.token);
        out.writeUTF(reply.authority);
        for (String certificate : reply.certificates) {
            out.writeUTF(certificate);
        }
        out.flush();
    }

    /** Read the launcher's confirmation that it has the certificates. */
    static void readConfirmation(InputStream in) throws IOException {
        if (in.read() != CONFIRMED) {
            throw new EOFException("it has not confirmed that it received them");
        }
    }

    static void writeRefusal(DataOutputStream out, String reason) throws IOException {
        out.writeByte(REFUSED);
        out.writeUTF(reason);
        out.flush();
    }

    /** Skip what follows of a refused request, up to the length of the largest. */
    static void skipRest(InputStream in) throws IOException {
        long skipped = 0;
        long last;
        do {
            last = in.skip(MAX_SKIPPED - skipped);
            skipped += last;
        } while (last > 0);
    }

    /**
     * Read the reply.
     *
     * @throws JoinRefusedException when it is a refusal
     */
    Reply readReply(DataInputStream in) throws IOException {
        int status = in.readByte();
        if (status == REFUSED) {
            throw new JoinRefusedException(in.readUTF());
        }
        if (status != ACCEPTED) {
            throw new IOException("the join service sent the unknown status " + status);
        }
        String identity = in.readUTF();
        String token = in.readUTF();
        String authority = in.readUTF();
        List<String> certificates = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            certificates.add(in.readUTF());
        }
        return new Reply(identity, token, authority, certificates);
    }
}
