package org.gradwire.examples.train;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The main job: {@code ./gradwire run --workers 4 train}. Every worker runs this program; what it
 * does follows from its rank.
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
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            run(rpc, options);
        }
    }

    /**
     * Play this worker's part. A server has nothing to do but to serve until all are done, which
     * closing the worker does.
     */
    static void run(Rpc rpc, Options options) throws Exception {
        Roles roles = Roles.of(rpc);
        if (roles.isTrainer(rpc)) {
            new Trainer(rpc, roles, options).run();
        }
    }
}
