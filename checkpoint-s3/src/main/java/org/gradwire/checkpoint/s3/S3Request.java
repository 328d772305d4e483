package org.gradwire.checkpoint.s3;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A request to a bucket.
 *
 * @param key empty for the bucket
 * @param headers by lower-case names
 * @param limit most bytes of the body of the reply
 */
record S3Request(
        String method,
        String key,
        SortedMap<String, String> query,
        SortedMap<String, String> headers,
        byte[] body,
        int limit) {
    private static final int LIMIT = 8 << 20; // of XML: a page of 1000 keys has at most 4 MB

    static S3Request of(String method, String key) {
        return new S3Request(method, key, new TreeMap<>(), new TreeMap<>(), new byte[0], LIMIT);
    }

    S3Request query(String name, String value) {
        query.put(name, value);
        return this;
    }

    S3Request header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    S3Request body(byte[] bytes) {
        return new S3Request(method, key, query, headers, bytes, limit);
    }

    S3Request limit(int bytes) {
        return new S3Request(method, key, query, headers, body, bytes);
    }

    /** {@return as in {@code PUT a/manifest.json}} */
    @Override
    public String toString() {
        return method + " " + (key.isEmpty() ? Endpoint.query(query) : key);
    }
}
