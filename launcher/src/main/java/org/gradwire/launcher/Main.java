package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.ExitStatus;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code gradwire} of a distribution, which {@code ./gradwire} builds and calls. */
@Command(
        name = "gradwire",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "Run programs on a group of workers.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {HelpCommand.class})
public final class Main {

    private Main() {}

    /** The version that the build wrote into the module. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var module = Main.class.getModule().getDescriptor();
            return new String[] {
                "gradwire " + (module == null ? "" : module.rawVersion().orElse(""))
            };
        }
    }

    /** Run a command and exit, with the codes of {@code gradwire run --help}. */
    public static void main(String[] args) {
        String terminals = System.getProperty("gradwire.terminal", "");
        Console console = Console.ofProcess(terminals, System.getenv());
        System.exit(commandLine(Distribution.ofLauncher(), console).execute(args));
    }

    private static CommandLine commandLine(Distribution distribution, Console console) {
        var bench = new CommandLine(new BenchCommand());
        bench.setUnmatchedOptionsArePositionalParams(true);
        // Its options stand between the hosts and the program.
        var hosts = new CommandLine(new HostsCommand(console));
        return new CommandLine(new Main())
                .addSubcommand("run", new RunCommand(distribution, console))
                .addSubcommand("bench", bench)
                .setStopAtPositional(true)
                .addSubcommand("hosts", hosts)
                .setExpandAtFiles(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setParameterExceptionHandler((e, _) -> badUsage(e, console))
                .setExecutionExceptionHandler((e, _, _) -> failed(e, console));
    }

    private static int badUsage(ParameterException e, Console console) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        console.message("gradwire: " + e.getMessage() + suggestion(e));
        console.message("See: ./" + command + " --help");
        return ExitStatus.BAD_USAGE;
    }

    private static String suggestion(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        return unmatched.getSuggestions().stream()
                .findFirst()
                .map(known -> " (did you mean '" + known + "'?)")
                .orElse("");
    }

    private static int failed(Exception e, Console console) throws Exception {
        if (e instanceof LauncherException mistake) {
            console.message("gradwire: " + mistake.getMessage());
            return mistake.status();
        }
        throw e;
    }
}
