package org.gradwire.attack;

import org.gradwire.attack.site.UnavailableException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Attacks a group of workers by every attack vector: {@code ./gradwire attack}. The exit code is 1
 * when a call of the honest client failed, or the victim died, exceeded its resource limits or ran
 * forbidden code.
 */
public final class Attack {
    private static final int SHOWN_FAULTS = 1;
    private static final int WRONG_USAGE = 2;

    private Attack() {}

    /** Run the attacks that the arguments select. */
    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println("gradwire attack: " + e.getMessage() + "\n\n" + Options.USAGE);
            System.exit(WRONG_USAGE);
            return;
        }
        System.exit(run(options));
    }

    private static int run(Options options) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("gradwire-attack");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        System.out.printf("seed %d, logs in %s%n%n", options.seed(), folder);
        List<Result> results = new ArrayList<>();
        System.out.println(Report.head());
        try (var campaign = new Campaign(options, folder)) {
            for (AttackVector attackVector : AttackVector.ALL) {
                if (attackVector.name().contains(options.only())) {
                    run(campaign, attackVector, results);
                }
            }
        }
        System.out.printf("%n%s%n", Report.metrics(results));
        long faulty = results.stream().filter(result -> !result.faults().isEmpty()).count();
        long inputs = results.stream().mapToLong(result -> result.inputCounts().inputs()).sum();
        System.out.printf(
                "%n%,d inputs by %d attack vectors, %d of which show faults%n",
                inputs, results.size(), faulty);
        return faulty == 0 && !results.isEmpty() ? 0 : SHOWN_FAULTS;
    }

    private static void run(Campaign campaign, AttackVector attackVector, List<Result> results)
            throws IOException, InterruptedException {
        try {
            Result result = campaign.run(attackVector);
            results.add(result);
            System.out.println(Report.line(result));
        } catch (UnavailableException e) {
            System.out.printf(
                    "%-36s cannot be tried here: %s%n", attackVector.name(), e.getMessage());
        }
    }
}
