package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.StoredFile;
import org.gradwire.checkpoint.s3.Keys.ObjectKey;
import org.gradwire.checkpoint.s3.Listings.Upload;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checkpoints as objects. The shards of an attempt are published by the manifest, whose metadata
 * name the attempt; it is written by one conditional request, so of two groups that publish a step
 * at the same time, one fails. A checkpoint is removed manifest first.
 */
final class S3Storage implements CheckpointStorage {
    static final String ATTEMPT = "x-amz-meta-gradwire-attempt";
    private static final int MAX_MANIFEST = 1 << 26;
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    private final S3Address address;
    private final Keys keys;
    private final S3Client client;
    private final Listings listings;
    private final int partBytes;

    S3Storage(S3Address address, S3Settings settings) {
        this.address = address;
        this.keys = new Keys(address);
        this.client = new S3Client(address, settings);
        this.listings = new Listings(client);
        this.partBytes = settings.partBytes();
    }

    private List<ObjectKey> list(String name) throws IOException {
        return listings.keys(keys.prefix(name)).stream()
                .flatMap(key -> keys.parse(key).stream())
                .toList();
    }

    @Override
    public List<String> published() throws IOException {
        return list("").stream().filter(ObjectKey::isManifest).map(ObjectKey::name).toList();
    }

    @Override
    public void write(String name, String attempt, String file, Content content)
            throws IOException {
        ObjectWriter.write(client, keys.shard(name, attempt, file), content, partBytes);
    }

    @Override
    public void publish(String name, String attempt, byte[] manifest) throws IOException {
        String key = keys.manifest(name);
        if (exists(key)) {
            delete(key); // the step is replaced
        }
        try {
            var _ =
                    client.send(
                            S3Request.of("PUT", key)
                                    .body(manifest)
                                    .header("content-type", "application/json")
                                    .header("if-none-match", "*")
                                    .header(ATTEMPT, attempt)
                                    .header("x-amz-checksum-sha256", S3Client.checksum(manifest)));
        } catch (S3Exception e) {
            boolean isThere = e.status() == PRECONDITION_FAILED;
            if (isThere && attempt(name).equals(attempt)) {
                return; // by a request whose reply was lost
            }
            throw isThere ? new S3Exception(published(name), e) : e;
        }
    }

    private boolean exists(String key) throws IOException {
        try {
            var _ = client.send(S3Request.of("HEAD", key));
            return true;
        } catch (S3Exception e) {
            if (e.status() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private String published(String name) {
        return "%s: %s was published by another group meanwhile; let each group use its own prefix"
                .formatted(this, name);
    }

    /** {@return the attempt whose shards a published checkpoint has} */
    private String attempt(String name) throws IOException {
        return attempt(name, send(name, Keys.MANIFEST, S3Request.of("HEAD", keys.manifest(name))));
    }

    private String attempt(String name, S3Reply reply) throws S3Exception {
        String attempt = reply.header(ATTEMPT).orElse("");
        if (!Keys.isAttempt(attempt)) {
            throw new S3Exception(
                    "%s has no valid metadata %s; copy objects with their metadata"
                            .formatted(file(name, Keys.MANIFEST), ATTEMPT));
        }
        return attempt;
    }

    private String file(String name, String file) {
        return "%s://%s/%s"
                .formatted(S3Address.SCHEME, address.bucket(), address.key(name + "/" + file));
    }

    /** Send a request for a file of a checkpoint. */
    private S3Reply send(String name, String file, S3Request request) throws IOException {
        try {
            return client.send(request);
        } catch (S3Exception e) {
            throw e.status() == NOT_FOUND ? missing(name, file, e) : e;
        }
    }

    private NoSuchFileException missing(String name, String file, S3Exception cause) {
        var missing = new NoSuchFileException(file(name, file), null, "there is no such file");
        missing.initCause(cause);
        return missing;
    }

    @Override
    public StoredFile open(String name, String file) throws IOException {
        if (file.equals(Keys.MANIFEST)) {
            S3Request request = S3Request.of("GET", keys.manifest(name)).limit(MAX_MANIFEST);
            S3Reply reply = send(name, file, request.header("x-amz-checksum-mode", "ENABLED"));
            return new ManifestFile(
                    file(name, file), MemorySegment.ofArray(reply.body()).asReadOnly());
        }
        String key = keys.shard(name, attempt(name), file);
        try {
            return ObjectFile.open(client, file(name, file), key, partBytes);
        } catch (S3Exception e) {
            throw e.status() == NOT_FOUND ? missing(name, file, e) : e;
        }
    }

    @Override
    public void remove(String name) throws IOException {
        delete(keys.manifest(name));
        for (ObjectKey key : list(name)) {
            delete(key.key());
        }
    }

    private void delete(String key) throws IOException {
        try {
            var _ = client.send(S3Request.of("DELETE", key));
        } catch (S3Exception e) {
            if (e.status() != NOT_FOUND) { // S3 itself does not mind
                throw e;
            }
        }
    }

    @Override
    public void removeAttempts() throws IOException {
        for (Upload upload : listings.uploads(keys.prefix(""))) {
            if (keys.parse(upload.key()).isPresent()) {
                ObjectWriter.abort(client, upload.key(), upload.id());
            }
        }
        Map<String, List<ObjectKey>> checkpoints = new TreeMap<>();
        for (ObjectKey key : list("")) {
            checkpoints.computeIfAbsent(key.name(), _ -> new ArrayList<>()).add(key);
        }
        for (var checkpoint : checkpoints.entrySet()) {
            removeAttempts(checkpoint.getKey(), checkpoint.getValue());
        }
    }

    /** Remove shards of a checkpoint whose attempt its manifest does not name. */
    private void removeAttempts(String name, List<ObjectKey> found) throws IOException {
        Set<String> attempts = new HashSet<>();
        found.stream().filter(key -> !key.isManifest()).forEach(key -> attempts.add(key.attempt()));
        boolean isPublished = found.stream().anyMatch(ObjectKey::isManifest);
        if (isPublished && attempts.size() <= 1) {
            return;
        }
        if (isPublished) {
            attempts.remove(attempt(name));
        }
        for (ObjectKey key : found) {
            if (attempts.contains(key.attempt())) {
                delete(key.key());
            }
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
