package org.gradwire.tools.publish;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The part of {@code ./gradwire publish} that comes after Maven's. */
public final class Publish {

    private Publish() {}

    /**
     * Usage: {@code Publish stage DEPLOYED BUNDLE [KEY]}, or {@code Publish compare FIRST SECOND}.
     * Exits with 1 when the bundle breaks a requirement, or the two differ.
     */
    public static void main(String[] args) throws IOException {
        Path first = Path.of(args[1]);
        Path second = Path.of(args[2]);
        boolean compares = args[0].equals("compare");
        if (!(compares ? compare(first, second) : stage(first, second, key(args)))) {
            System.exit(1);
        }
    }

    private static Optional<String> key(String[] args) {
        return args.length > 3 ? Optional.of(args[3]) : Optional.empty();
    }

    private static boolean stage(Path deployed, Path bundle, Optional<String> key)
            throws IOException {
        Staging.stage(deployed, bundle, key);
        List<Violation> violations = new ArrayList<>(BundleCheck.faults(bundle, key.isPresent()));
        violations.addAll(InventoryCheck.faults(bundle, InventoryCheck.reviewedLibraries()));
        violations.forEach(violation -> System.err.println("publish: " + violation));
        long count = BundleCheck.files(bundle).stream().filter(BundleCheck::isContent).count();
        System.out.printf(
                "publish: %d files in %s, %d requirements broken%n",
                count, bundle, violations.size());
        if (key.isEmpty()) {
            System.out.println(
                    "publish: the bundle is not signed, which Maven Central demands: make a key"
                            + " with 'gpg --full-generate-key', and stage again with --key KEY");
        }
        return violations.isEmpty();
    }

    private static boolean compare(Path first, Path second) throws IOException {
        List<Path> differences = BundleComparison.differences(first, second);
        differences.forEach(file ->
                System.err.printf(
                        "publish: %s differs between two builds of the same sources%n", file));
        if (differences.isEmpty()) {
            System.out.println("publish: two builds of the same sources gave the same bytes");
        }
        return differences.isEmpty();
    }
}
