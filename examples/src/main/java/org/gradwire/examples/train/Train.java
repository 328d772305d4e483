package org.gradwire.examples.train;

import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.examples.elastic.FirstStart;
import org.gradwire.examples.elastic.MemberNotices;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Device;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
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
        FirstStart.clear(options.checkpoints());
        try (Rpc rpc = Rpc.init(rpcOptions(options.device()))) {
            run(rpc, options);
        }
    }

    /**
     * Return the options of this worker, which sends tensors on a device to the same device of each
     * other worker. The launcher's names of workers end with their rank.
     */
    private static RpcOptions rpcOptions(Device device) {
        RpcOptions.Builder options = RpcOptions.builder();
        if (!device.isCpu()) {
            String rank = FirstStart.setting("rank", "0");
            String name = FirstStart.setting("name", "");
            int workers = Integer.parseInt(FirstStart.setting("world-size", "1"));
            String prefix = name.substring(0, name.length() - rank.length());
            for (int other = 0; other < workers; other++) {
                if (!rank.equals(Integer.toString(other))) {
                    options.deviceMap(prefix + other, Map.of(device.toString(), device.toString()));
                }
            }
        }
        return options.build();
    }

    /** Run this worker's role, that of a trainer or a server. */
    static void run(Rpc rpc, Options options) throws IOException {
        var job = new Job(rpc, options, Corpus.read(options.text()));
        try (var _ = MemberNotices.print(rpc)) {
            ElasticTrainer.on(rpc, options.checkpoints())
                    .saveEvery(options.stepsPerCheckpoint())
                    .mirrors(1)
                    .minMembers(Math.max(Roles.MIN_WORKERS, rpc.quorum()))
                    .run(new Trainer(job));
        }
    }
}
