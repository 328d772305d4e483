package org.gradwire.checkpoint.cli;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.json.JsonText;
import org.gradwire.rpc.RpcConfigurationException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code ./gradwire checkpoint}: lists, shows, verifies and compares checkpoints in a directory or
 * an object store. Exits with 1 if a checkpoint is damaged or two differ, with 2 if the arguments
 * are wrong.
 */
public final class CheckpointCommand {
    private static final String USAGE =
            """
            Usage: ./gradwire checkpoint COMMAND DIR [ARG...] [--json]
              DIR is a directory, or s3://BUCKET/PREFIX
              ls DIR                 list the checkpoints, and what is wrong with them, without reading their contents
              show DIR [STEP]        print the tensors of one, the newest by default: types, shapes, placements, norms
              verify DIR             list the checkpoints, after reading and verifying them
              diff DIR [STEP STEP]   print the tensors that differ between two, the newest two by default
            """;

    private CheckpointCommand() {}

    /** Run a command. */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, List.of(arguments)));
    }

    /** Run a command, and return the exit code. */
    static int run(PrintStream out, PrintStream errors, List<String> arguments) {
        List<String> words = new ArrayList<>(arguments);
        boolean json = words.removeIf(word -> word.equals("--json"));
        try {
            if (words.size() < 2) {
                throw new IllegalArgumentException("a command and a directory are missing");
            }
            return run(out, json, words.getFirst(), storage(words.get(1)), steps(words));
        } catch (IllegalArgumentException | RpcConfigurationException e) {
            errors.println("gradwire: " + e.getMessage());
            errors.print(USAGE);
            return 2;
        } catch (IOException e) {
            errors.println("gradwire: " + e.getMessage());
            return 1;
        }
    }

    private static CheckpointStorage storage(String place) {
        if (!place.contains("://") && !Files.isDirectory(Path.of(place))) {
            throw new IllegalArgumentException(place + " is not a directory");
        }
        return CheckpointStorage.of(place);
    }

    private static List<Long> steps(List<String> words) {
        List<Long> steps = new ArrayList<>();
        for (String word : words.subList(2, words.size())) {
            if (!word.matches("\\d{1,18}")) {
                throw new IllegalArgumentException("'%s' is not a step".formatted(word));
            }
            steps.add(Long.valueOf(word));
        }
        return steps;
    }

    private static int run(
            PrintStream out,
            boolean json,
            String command,
            CheckpointStorage storage,
            List<Long> steps)
            throws IOException {
        return switch (command) {
            case "ls" -> list(out, json, Reports.list(storage, false));
            case "verify" -> list(out, json, Reports.list(storage, true));
            case "show" -> show(out, json, open(storage, steps, 1).getFirst());
            case "diff" -> diff(out, json, open(storage, steps, 2));
            default -> throw new IllegalArgumentException("there is no command '" + command + "'");
        };
    }

    private static List<SavedCheckpoint> open(
            CheckpointStorage storage, List<Long> wanted, int count) throws IOException {
        List<Long> all = Checkpoint.steps(storage);
        if (wanted.isEmpty() && all.size() < count) {
            throw new CheckpointException(
                    "%s has %d checkpoints; %d are needed".formatted(storage, all.size(), count));
        }
        List<Long> steps = wanted.isEmpty() ? all.subList(all.size() - count, all.size()) : wanted;
        if (steps.size() != count) {
            throw new IllegalArgumentException("name %d steps, or none".formatted(count));
        }
        List<SavedCheckpoint> opened = new ArrayList<>();
        for (long step : steps) {
            opened.add(SavedCheckpoint.open(storage, step));
        }
        return opened;
    }

    private static int list(PrintStream out, boolean json, Table table) {
        out.println(json ? JsonText.of(table.rows()) : table.text());
        boolean isOk =
                table.rows().stream().allMatch(row -> Reports.OK.equals(row.get(Reports.STATE)));
        return isOk ? 0 : 1;
    }

    private static int show(PrintStream out, boolean json, SavedCheckpoint saved)
            throws IOException {
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("step", saved.manifest().step());
        head.put("program", saved.manifest().program());
        head.put("members", saved.manifest().members());
        Table tensors = Reports.tensors(saved);
        if (json) {
            head.put("tensors", tensors.rows());
            out.println(JsonText.of(head));
        } else {
            head.forEach((name, value) -> out.println(name + ": " + value));
            out.println(tensors.text());
        }
        return 0;
    }

    private static int diff(PrintStream out, boolean json, List<SavedCheckpoint> two)
            throws IOException {
        Table table = Reports.differences(two.getFirst(), two.getLast());
        if (json) {
            out.println(JsonText.of(table.rows()));
        } else {
            out.println(table.rows().isEmpty() ? "equal" : table.text());
        }
        return table.rows().isEmpty() ? 0 : 1;
    }
}
