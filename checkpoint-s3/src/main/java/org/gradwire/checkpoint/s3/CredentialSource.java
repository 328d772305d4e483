package org.gradwire.checkpoint.s3;

import org.gradwire.rpc.RpcConfigurationException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Source of the access key: the environment, or a file that may be replaced meanwhile. */
@FunctionalInterface
interface CredentialSource {
    int MAX_FILE_BYTES = 1 << 16;

    /**
     * {@return the present credentials}
     *
     * @throws RpcConfigurationException if there are none; the message has no secret
     */
    Credentials get();

    static CredentialSource of(
            Optional<String> file, Function<String, Optional<String>> environment) {
        String profile = environment.apply("AWS_PROFILE").orElse("default");
        if (file.isPresent()) {
            return () -> read(Path.of(file.get()), profile);
        }
        Optional<String> accessKey = environment.apply("AWS_ACCESS_KEY_ID");
        Optional<String> secretKey = environment.apply("AWS_SECRET_ACCESS_KEY");
        if (accessKey.isPresent() && secretKey.isPresent()) {
            String token = environment.apply("AWS_SESSION_TOKEN").orElse("");
            var credentials = new Credentials(accessKey.get(), secretKey.get(), token);
            return () -> credentials;
        }
        Path shared =
                environment
                        .apply("AWS_SHARED_CREDENTIALS_FILE")
                        .map(Path::of)
                        .orElseGet(() ->
                                Path.of(System.getProperty("user.home"), ".aws", "credentials"));
        if (!Files.exists(shared)) {
            throw new RpcConfigurationException(
                    "there is no access key for S3; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or %s"
                            .formatted(S3Settings.CREDENTIALS_FILE));
        }
        return () -> read(shared, profile);
    }

    private static Credentials read(Path file, String profile) {
        Map<String, String> values;
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new IOException("it has more than %d bytes".formatted(MAX_FILE_BYTES));
            }
            values = section(Files.readString(file), profile);
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "the access key in %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        String accessKey = values.getOrDefault("aws_access_key_id", "");
        String secretKey = values.getOrDefault("aws_secret_access_key", "");
        if (accessKey.isEmpty() || secretKey.isEmpty()) {
            throw new RpcConfigurationException(
                    "%s has no aws_access_key_id and aws_secret_access_key in its section [%s]"
                            .formatted(file, profile));
        }
        return new Credentials(accessKey, secretKey, values.getOrDefault("aws_session_token", ""));
    }

    private static Map<String, String> section(String text, String profile) {
        Map<String, String> values = new HashMap<>();
        boolean isWanted = false;
        for (String line : text.lines().map(String::strip).toList()) {
            int equals = line.indexOf('=');
            if (line.startsWith("[")) {
                isWanted = line.equals("[" + profile + "]");
            } else if (isWanted && equals > 0 && !line.startsWith("#")) {
                values.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            }
        }
        return values;
    }
}
