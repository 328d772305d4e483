package org.gradwire.examples.train;

import org.gradwire.examples.elastic.MemberNotices;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.tensor.Device;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * {@code ./gradwire run --workers 4 train}: trains a language model. Every worker runs this
 * program, in the role of its rank. With {@code --restarts}, the training survives the end of any
 * worker.
 */
public final class Train {

    private Train() {}

    public static void main(String[] args) throws Exception {
        var options = new Options();
        var commandLine = new CommandLine(options);
        try {
            if (CommandLine.printHelpIfRequested(commandLine.parseArgs(args))) {
                return;
            }
            options.validate(commandLine);
        } catch (ParameterException e) {
            System.err.println(e.getMessage() + "; --help lists the options");
            System.exit(2);
        }
        if (isFirstProcess()) {
            options.snapshot().delete();
        }
        try (Rpc rpc = Rpc.init(rpcOptions(options.device()))) {
            run(rpc, options);
        }
    }

    /** {@return whether this process begins a run, as the first one of the first worker} */
    private static boolean isFirstProcess() {
        return setting("rank", "0").equals("0") && setting("restart", "0").equals("0");
    }

    /** {@return a setting of this worker: a property if it was a standby, else a variable} */
    private static String setting(String name, String defaultValue) {
        String variable = "GRADWIRE_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
        return System.getProperty(
                "gradwire." + name, System.getenv().getOrDefault(variable, defaultValue));
    }

    /**
     * Return the options of this worker, which sends tensors on a device to the same device of each
     * other worker. The launcher's names of workers end with their rank.
     */
    private static RpcOptions rpcOptions(Device device) {
        RpcOptions.Builder options = RpcOptions.builder();
        if (!device.isCpu()) {
            String rank = setting("rank", "0");
            String name = setting("name", "");
            int workers = Integer.parseInt(setting("world-size", "1"));
            String prefix = name.substring(0, name.length() - rank.length());
            for (int other = 0; other < workers; other++) {
                if (!rank.equals(Integer.toString(other))) {
                    options.deviceMap(prefix + other, Map.of(device.toString(), device.toString()));
                }
            }
        }
        return options.build();
    }

    /**
     * Run this worker's role. In a static group a server only serves, until the group's shutdown.
     */
    static void run(Rpc rpc, Options options) throws IOException {
        if (!rpc.isDynamic() && !Roles.of(rpc.view()).isTrainer(rpc)) {
            return;
        }
        var snapshots = new Snapshots(rpc, options.snapshot());
        var job = new Job(rpc, options, Corpus.read(options.text()), snapshots);
        try (var _ = MemberNotices.print(rpc);
                var trainer = new Trainer(job)) {
            int enough = Math.max(Roles.MIN_WORKERS, rpc.quorum());
            Elastic.on(rpc)
                    .when(view -> view.members().size() >= enough || Roles.isDone(view))
                    .run(trainer);
        }
    }
}
