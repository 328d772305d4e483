package org.gradwire.examples.train;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * {@code ./gradwire run --workers 4 train}: trains a language model. Every worker runs this
 * program, in the role of its rank.
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

    /** Run this worker's role. A server only serves, until the group's shutdown. */
    static void run(Rpc rpc, Options options) throws Exception {
        Roles roles = Roles.of(rpc);
        if (roles.isTrainer(rpc)) {
            new Trainer(rpc, roles, options).run();
        }
    }
}
