package org.gradwire.checkpoint.s3;

import org.gradwire.rpc.RpcConfigurationException;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The URLs of a bucket.
 *
 * @param base scheme, host and port
 * @param path of the bucket, encoded; {@code /} if the host has its name
 */
record Endpoint(String base, String path) {

    static Endpoint of(S3Settings settings, String bucket) {
        URI endpoint = settings.endpoint();
        boolean isPath = settings.pathStyle().orElseGet(() -> bucket.contains("."));
        String port = endpoint.getPort() < 0 ? "" : ":" + endpoint.getPort();
        String host = (isPath ? "" : bucket + ".") + endpoint.getHost();
        return new Endpoint(
                endpoint.getScheme() + "://" + host + port, isPath ? "/" + bucket + "/" : "/");
    }

    static String ofAmazon(String region) {
        String domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
        return "https://s3.%s.%s".formatted(region, domain);
    }

    static URI parse(String text) {
        try {
            URI uri = new URI(text);
            String path = uri.getPath();
            boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            boolean isBare =
                    uri.getRawQuery() == null
                            && uri.getRawFragment() == null
                            && uri.getRawUserInfo() == null
                            && (path == null || path.isEmpty() || path.equals("/"));
            if (isHttp && uri.getHost() != null && isBare) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below, like a URL of another form
        }
        throw new RpcConfigurationException(
                "%s must be https://host or https://host:port, but has another form"
                        .formatted(S3Settings.ENDPOINT)); // not the value: it may have a password
    }

    /** {@return the path of a key in URLs; an empty key is the bucket} */
    String path(String key) {
        return path + encode(key).replace("%2F", "/");
    }

    URI uri(String key, SortedMap<String, String> query) {
        String text = query(query);
        return URI.create(base + path(key) + (text.isEmpty() ? "" : "?" + text));
    }

    static String query(SortedMap<String, String> query) {
        return query.entrySet().stream()
                .map((Map.Entry<String, String> each) ->
                        encode(each.getKey()) + "=" + encode(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** {@return the name of the host in requests: without a port that is the scheme's own} */
    String host() {
        return base.replaceFirst("^https://(.*?)(:443)?$", "$1")
                .replaceFirst("^http://(.*?)(:80)?$", "$1");
    }

    /** Encode all but letters, digits and {@code -._~}, as signatures require. */
    static String encode(String text) {
        var encoded = new StringBuilder();
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean isPlain = (c < 128 && Character.isLetterOrDigit(c)) || "-._~".indexOf(c) >= 0;
            encoded.append(isPlain ? String.valueOf(c) : "%%%02X".formatted((int) c));
        }
        return encoded.toString();
    }
}
