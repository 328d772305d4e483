package org.gradwire.checkpoint.s3;

import java.net.http.HttpHeaders;
import java.util.Optional;

/**
 * A reply of the object store.
 *
 * @param attempts number of requests that were sent; of those before the last, the effect is
 *     unknown
 */
record S3Reply(int status, HttpHeaders headers, byte[] body, int attempts) {

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    /** {@return a number from 0 in a header; -1 if there is none} */
    long length(String name) {
        return header(name)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(-1L);
    }
}
