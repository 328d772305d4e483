package org.gradwire.checkpoint.s3;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.SortedMap;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests with Amazon's Signature Version 4.
 *
 * @param service such as {@code s3}
 */
record Signer(String region, String service) {
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;

    /** {@return a time as in the header {@code x-amz-date}} */
    static String time(Instant now) {
        return TIME.format(now);
    }

    /**
     * {@return the header {@code Authorization} of a request}
     *
     * @param path encoded
     * @param headers by lower-case names, with {@code host} and {@code x-amz-date}; all are signed
     * @param bodyHash SHA-256 of the body, in hexadecimal
     */
    String authorization(
            String method,
            String path,
            SortedMap<String, String> query,
            SortedMap<String, String> headers,
            String bodyHash,
            Credentials credentials) {
        var lines = new StringBuilder();
        headers.forEach((name, value) -> lines.append(name).append(':').append(value).append('\n'));
        String names = String.join(";", headers.keySet());
        String canonical =
                String.join(
                        "\n",
                        method,
                        path,
                        Endpoint.query(query),
                        lines.toString(),
                        names,
                        bodyHash);
        String time = headers.getOrDefault("x-amz-date", "");
        String date = time.substring(0, DATE_LENGTH);
        String scope = String.join("/", date, region, service, "aws4_request");
        String text = String.join("\n", ALGORITHM, time, scope, hash(bytes(canonical)));
        String signature = HexFormat.of().formatHex(hmac(key(credentials.secretKey(), date), text));
        return "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                .formatted(ALGORITHM, credentials.accessKey(), scope, names, signature);
    }

    private byte[] key(String secret, String date) {
        byte[] key = hmac(bytes("AWS4" + secret), date);
        key = hmac(key, region);
        key = hmac(key, service);
        return hmac(key, "aws4_request");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes(text));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }

    static String hash(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes));
    }
}
