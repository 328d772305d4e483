package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code gradwire run}: starts the workers of a group and waits for their end. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        description = "Start a group of workers, each in its own JVM, that run one program.",
        footer = {
            "",
            "The workers get GRADWIRE_NAME, GRADWIRE_RANK, GRADWIRE_WORLD_SIZE,"
                    + " GRADWIRE_RENDEZVOUS and GRADWIRE_AUTHENTICATION_TOKEN_FILE in their"
                    + " environment. They have no standard input.",
            "When a worker fails that is not restarted, the others are ended, and its exit code is the"
                    + " command's (128 + n for signal n). 124: --timeout is over. 2: wrong usage."
        })
final class RunCommand implements Callable<Integer> {
    @Mixin private WorldOptions worldOptions = new WorldOptions();

    @Mixin private RestartOptions restartOptions = new RestartOptions();

    @Mixin private TokenOptions tokenOptions = new TokenOptions();

    @Mixin private SecurityOptions securityOptions = new SecurityOptions();

    @Mixin private InputOptions inputOptions = new InputOptions();

    @Mixin private WorkerOptions workerOptions = new WorkerOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PROGRAM",
            description = "A program's short name, or module/main.Class. Without it: list them.")
    private Optional<String> program = Optional.empty();

    @Parameters(index = "1..*", paramLabel = "ARG", description = "The program's arguments.")
    private List<String> arguments = new ArrayList<>();

    @Spec private CommandSpec spec = CommandSpec.create();

    private final Distribution distribution;
    private final Console console;

    RunCommand(Distribution distribution, Console console) {
        this.distribution = distribution;
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        Optional<HostPart> part = inputOptions.part(System.in);
        part.ifPresent(known -> console.mark(known.mark()));
        console.event("ready");
        var run = new GroupRun(plan(part), inputOptions.input(System.in), console);
        part.ifPresent(known -> console.event("port " + known.port()));
        return run.run();
    }

    private GroupPlan plan(Optional<HostPart> part) {
        List<Path> userPath = workerOptions.modulePath();
        Program chosen = program(userPath);
        workerOptions.refuseVisibleToken();
        Map<String, String> environment = workerOptions.environment();
        List<String> jvmArgs = workerOptions.jvmArgs();
        if (securityOptions.isSecure() && worldOptions.joins() && tokenOptions.isGiven()) {
            throw new LauncherException(
                    "--token-file is of no use with --secure and --join: the token of the group comes with the certificates");
        }
        World world =
                part.map(known -> worldOptions.world(chosen, known.rendezvous()))
                        .orElseGet(() -> worldOptions.world(chosen));
        new BackendChoice(workerOptions.backend(), environment, jvmArgs)
                .refuseForSeveralProcesses(world);
        MisplacedOption.find(spec, program.orElse(""), arguments)
                .ifPresent(found -> console.message("gradwire: " + found.warning()));
        return new GroupPlan(
                world,
                command(chosen, userPath),
                workerOptions.variables(),
                chosen.prefixed() && workerOptions.prefixed(),
                workerOptions.grace(),
                workerOptions.timeout(),
                restartOptions.policy(world, worldOptions.range(chosen)),
                UUID.randomUUID().toString(),
                part.flatMap(HostPart::groupToken)
                        .orElseGet(() ->
                                tokenOptions.token(
                                        world, environment, jvmArgs, securityOptions.isSecure())),
                part.map(known -> securityOptions.source(world, known))
                        .orElseGet(() -> securityOptions.source(world, worldOptions.joins())));
    }

    private Program program(List<Path> userPath) {
        var target = program.flatMap(ExecutionTarget::parse);
        if (target.isPresent()) {
            distribution.requireModule(target.get().module(), userPath);
            return Program.of(target.get(), List.of(distribution.lib()));
        }
        ProgramTable table = ProgramTable.collect(distribution, userPath);
        return program.flatMap(table::find).orElseThrow(() -> unknownProgram(table));
    }

    private LauncherException unknownProgram(ProgramTable table) {
        String problem =
                program.map(name -> "no program '" + name + "'" + table.suggestion(name))
                        .orElse("no program given");
        return new LauncherException(
                problem
                        + "; expected module/main.Class or one of"
                        + System.lineSeparator()
                        + table.listing());
    }

    private WorkerCommand command(Program chosen, List<Path> userPath) {
        String path =
                Stream.of(chosen.modulePath(), distribution.deviceLibs(), userPath)
                        .flatMap(List::stream)
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Distribution.java().toString());
        command.add("@" + distribution.jvmArgs());
        // Workers write to a pipe, for which the JVM would use the locale's encoding.
        command.add("-Dstdout.encoding=UTF-8");
        command.add("-Dstderr.encoding=UTF-8");
        command.add("-Djava.util.logging.config.file=" + distribution.logging());
        command.addAll(distribution.classArchive());
        command.addAll(distribution.driverCache());
        command.addAll(distribution.deviceFlags());
        command.addAll(workerOptions.jvmArgs());
        command.addAll(List.of("-p", path));
        return new WorkerCommand(command, chosen.target(), arguments);
    }
}
