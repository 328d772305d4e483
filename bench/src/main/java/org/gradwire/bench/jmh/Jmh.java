package org.gradwire.bench.jmh;

import org.gradwire.bench.process.Jvm;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

import java.util.List;

/** Runs the microbenchmarks. JMH starts forked JVMs with the flags of this one. */
public final class Jmh {

    private Jmh() {}

    /** Run those that arguments of JMH select. */
    public static void run(List<String> arguments) throws Exception {
        var given = new CommandLineOptions(arguments.toArray(String[]::new));
        if (given.shouldHelp()) {
            given.showHelp();
            return;
        }
        var options =
                new OptionsBuilder()
                        .parent(given)
                        .jvmArgs(Jvm.flags().toArray(String[]::new))
                        .jvmArgsAppend(
                                "--add-exports=org.gradwire.runtime/org.gradwire.runtime.wire=org.gradwire.bench")
                        .build();
        var runner = new Runner(options);
        if (given.shouldList()) {
            runner.list();
        } else {
            runner.run();
        }
    }
}
