package org.gradwire.checkpoint.s3;

import org.gradwire.spi.UntrustedText;

import java.io.IOException;

/** A request that the object store has refused, or has not answered in time. */
final class S3Exception extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    S3Exception(String problem, Throwable cause) {
        super(problem, cause);
        this.status = 0;
        this.code = "";
    }

    S3Exception(String problem) {
        this(problem, 0, "");
    }

    private S3Exception(String problem, int status, String code) {
        super(problem);
        this.status = status;
        this.code = code;
    }

    /**
     * {@return the exception of a refusal}
     *
     * @param error the root of the reply's XML, or an empty one
     */
    static S3Exception refused(String what, int status, Xml error) {
        String code = error.text("Code").orElse("");
        String text = UntrustedText.quote(error.text("Message").orElse(""));
        return new S3Exception(
                "%s: the object store refused it with status %d%s%s"
                        .formatted(
                                what,
                                status,
                                code.isEmpty() ? "" : " " + UntrustedText.quote(code),
                                text.isEmpty() ? "" : ": " + text),
                status,
                code);
    }

    /** {@return the status of HTTP; 0 if the request was not refused} */
    int status() {
        return status;
    }

    /** {@return the code of the error, such as {@code NoSuchUpload}; empty if there is none} */
    String code() {
        return code;
    }
}
