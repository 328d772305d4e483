package org.gradwire.checkpoint;

import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds storages by the schemes of their addresses. */
final class StorageProviders {
    /** A scheme has two letters or more: {@code C:} begins a path. */
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://?.*");

    private StorageProviders() {}

    static CheckpointStorage open(String address) {
        Matcher uri = URI.matcher(address);
        if (!uri.matches()) {
            return CheckpointStorage.directory(Path.of(address));
        }
        String scheme = uri.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("file")) {
            return CheckpointStorage.directory(Path.of(java.net.URI.create(address)));
        }
        var found = new TreeMap<String, CheckpointStorageProvider>();
        for (CheckpointStorageProvider provider : load()) {
            provider.schemes().forEach(each -> found.put(each, provider));
        }
        CheckpointStorageProvider provider = found.get(scheme);
        if (provider == null) {
            throw new IllegalArgumentException(
                    "no storage has the scheme of '%s'; use a directory or one of %s, and put gradwire-checkpoint-s3 on the path for s3"
                            .formatted(address, found.keySet()));
        }
        return provider.open(address);
    }

    private static ServiceLoader<CheckpointStorageProvider> load() {
        return ServiceLoader.load(
                CheckpointStorageProvider.class, CheckpointStorageProvider.class.getClassLoader());
    }
}
