package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Signatures against the examples that Amazon has published: the test suite of Signature Version 4,
 * and those in the reference of S3.
 */
class SignerTest {
    private static final String NOTHING = Signer.hash(new byte[0]);
    private static final Credentials SUITE =
            new Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "");
    private static final Credentials S3 =
            new Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "");

    private static String suite(String method, Map<String, String> query) {
        SortedMap<String, String> headers = new TreeMap<>();
        headers.put("host", "example.amazonaws.com");
        headers.put("x-amz-date", "20150830T123600Z");
        return new Signer("us-east-1", "service")
                .authorization(method, "/", new TreeMap<>(query), headers, NOTHING, SUITE);
    }

    private static String s3(
            String method, String path, Map<String, String> query, Map<String, String> more) {
        SortedMap<String, String> headers = new TreeMap<>(more);
        headers.put("host", "examplebucket.s3.amazonaws.com");
        headers.put("x-amz-date", "20130524T000000Z");
        headers.putIfAbsent("x-amz-content-sha256", NOTHING);
        return new Signer("us-east-1", "s3")
                .authorization(
                        method,
                        path,
                        new TreeMap<>(query),
                        headers,
                        headers.getOrDefault("x-amz-content-sha256", ""),
                        S3);
    }

    private static void assertSignature(String expected, String authorization) {
        assertTrue(authorization.endsWith(", Signature=" + expected), authorization);
    }

    @Test
    void getVanilla() {
        assertEquals(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                        + "SignedHeaders=host;x-amz-date, "
                        + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
                suite("GET", Map.of()));
    }

    @Test
    void postVanilla() {
        assertSignature(
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
                suite("POST", Map.of()));
    }

    @Test
    void getVanillaQueryOrderKeyCase() {
        assertSignature(
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
                suite("GET", Map.of("Param2", "value2", "Param1", "value1")));
    }

    @Test
    void getObjectWithARange() {
        assertSignature(
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
                s3("GET", "/test.txt", Map.of(), Map.of("range", "bytes=0-9")));
    }

    @Test
    void putObject() {
        assertSignature(
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
                s3(
                        "PUT",
                        "/" + Endpoint.encode("test$file.text"),
                        Map.of(),
                        Map.of(
                                "date",
                                "Fri, 24 May 2013 00:00:00 GMT",
                                "x-amz-storage-class",
                                "REDUCED_REDUNDANCY",
                                "x-amz-content-sha256",
                                Signer.hash(
                                        "Welcome to Amazon S3."
                                                .getBytes(
                                                        java.nio.charset.StandardCharsets
                                                                .US_ASCII)))));
    }

    @Test
    void queries() {
        assertSignature(
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
                s3("GET", "/", Map.of("lifecycle", ""), Map.of()));
        assertSignature(
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
                s3("GET", "/", Map.of("max-keys", "2", "prefix", "J"), Map.of()));
    }
}
