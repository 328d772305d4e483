package org.gradwire.checkpoint.s3;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Lists keys, and uploads that have not ended, page by page. */
record Listings(S3Client client) {
    private static final int MAX_PAGES = 10_000; // of 1000 keys

    /** An upload in parts. */
    record Upload(String key, String id) {}

    List<String> keys(String prefix) throws IOException {
        List<String> keys = new ArrayList<>();
        UnaryOperator<S3Request> next = request -> request;
        for (int page = 0; page < MAX_PAGES; page++) {
            S3Request wanted = next.apply(list(prefix).query("list-type", "2"));
            Xml xml = client.sendForXml(wanted, "ListBucketResult");
            xml.all("Contents/Key").forEach(key -> keys.add(decode(key)));
            if (!xml.isTrue("IsTruncated")) {
                return keys;
            }
            String token = required(xml, "NextContinuationToken");
            next = request -> request.query("continuation-token", token);
        }
        throw endless(prefix);
    }

    List<Upload> uploads(String prefix) throws IOException {
        List<Upload> uploads = new ArrayList<>();
        UnaryOperator<S3Request> next = request -> request;
        for (int page = 0; page < MAX_PAGES; page++) {
            S3Request wanted = next.apply(list(prefix).query("uploads", ""));
            Xml xml = client.sendForXml(wanted, "ListMultipartUploadsResult");
            List<String> keys = xml.all("Upload/Key");
            List<String> ids = xml.all("Upload/UploadId");
            if (keys.size() != ids.size()) {
                throw new S3Exception(
                        "the object store lists %d uploads with %d ids"
                                .formatted(keys.size(), ids.size()));
            }
            for (int i = 0; i < keys.size(); i++) {
                uploads.add(new Upload(decode(keys.get(i)), ids.get(i)));
            }
            if (!xml.isTrue("IsTruncated")) {
                return uploads;
            }
            String key = decode(required(xml, "NextKeyMarker"));
            String id = required(xml, "NextUploadIdMarker");
            next = request -> request.query("key-marker", key).query("upload-id-marker", id);
        }
        throw endless(prefix);
    }

    private static S3Request list(String prefix) {
        return S3Request.of("GET", "").query("prefix", prefix).query("encoding-type", "url");
    }

    private static String required(Xml xml, String name) throws S3Exception {
        return xml.text(name)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() ->
                        new S3Exception("the object store has more keys, but sent no " + name));
    }

    private static S3Exception endless(String prefix) {
        return new S3Exception(
                "the object store lists more than %d pages of keys below '%s'; use another prefix"
                        .formatted(MAX_PAGES, prefix));
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return ""; // not a key of a storage
        }
    }
}
