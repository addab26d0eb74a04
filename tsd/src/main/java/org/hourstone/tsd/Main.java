package org.hourstone.tsd;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.kv.StoreException;
import org.hourstone.server.Descriptors;
import org.hourstone.tsd.command.MkmetricCommand;
import org.hourstone.tsd.command.UidCommand;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.Commands;
import org.hourstone.tsd.session.ExitCode;
import org.hourstone.tsd.session.GlobalOptions;
import org.hourstone.tsd.session.JobClient;
import org.hourstone.tsd.session.JobCommand;
import org.hourstone.tsd.session.Session;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.tsd.terminal.Streams;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program {@code hourstone}. */
public final class Main {
  /** The prefix of picocli's message. */
  private static final String NO_COMMAND = "Missing required subcommand";

  private final GlobalOptions global;
  private final Session session;
  private boolean outputFailed;

  private Main(Streams streams, InstantSource clock) {
    this.global = new RootCommand();
    this.session = new Session(global, streams, clock, new Jobs());
  }

  private Main(Session session) {
    this.global = new RootCommand();
    this.session = session;
  }

  /** Commands of this program, executed by a daemon. */
  private static final class Jobs implements Commands {
    @Override
    public String job(Session session, String... words) {
      return command(new Main(session), words).name();
    }

    @Override
    public boolean runJob(Session session, String... words) {
      try {
        return command(new Main(session), words).run();
      } finally {
        session.out().flush();
      }
    }

    private static JobCommand command(Main program, String... words) {
      try {
        ParseResult given = program.commandLine().parseArgs(words);
        return JobCommand.of(given, program.global);
      } catch (ParameterException e) {
        throw new UsageException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Runs one command and ends the process with its {@link ExitCode}. */
  public static void main(String[] args) {
    String shortage = Descriptors.shortage(false);
    if (!shortage.isEmpty()) {
      System.err.println("hourstone: " + shortage); // few classes can be loaded
      System.exit(ExitCode.FAILED);
    }
    Main program = new Main(Streams.system(), Clock.systemUTC());
    Thread.setDefaultUncaughtExceptionHandler(program.session.ending().endIfOutOfMemory());
    if (!isOfHelp(args)) {
      program.session.status().start();
    }
    Runtime.getRuntime().addShutdownHook(new Thread(program.session.ending()::stop));
    int status = program.run(args);
    program.session.ending().end(status);
    System.exit(status);
  }

  /** Whether only texts are shown, which takes no time. */
  private static boolean isOfHelp(String[] args) {
    Set<String> help = Set.of("--help", "-h", "--version", "-V", "help", "version");
    return Stream.of(args).anyMatch(help::contains);
  }

  /** Runs one command within this process. */
  public static int run(Streams streams, InstantSource clock, String... args) {
    return new Main(streams, clock).run(args);
  }

  /** All commands with their options, to be described. */
  static CommandLine model() {
    return new Main(Streams.system(), Clock.systemUTC()).commandLine();
  }

  private int run(String[] args) {
    try {
      int exitCode = commandLine().execute(args);
      if (!outputFailed) {
        session.out().flush();
      }
      return exitCode;
    } catch (OutputException | Error e) {
      session.ending().failed(e);
      return fail(e);
    }
  }

  private CommandLine commandLine() {
    CommandLine root = new CommandLine(global);
    setSession(root);
    root.setHelpFactory(HelpText::new)
        .setExpandAtFiles(false)
        .registerConverter(Integer.class, Main::wholeNumber)
        .registerConverter(int.class, Main::wholeNumber)
        .registerConverter(BigDecimal.class, Main::decimal)
        .registerConverter(Path.class, Main::path)
        .setOut(new PrintWriter(session.out().stream(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(session.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler((e, words) -> refuse(e))
        .setExecutionStrategy(this::execute)
        .setExecutionExceptionHandler((e, command, result) -> fail(command, e));
    GlobalOptions.showIn(root.getCommandSpec());
    // Set only now; otherwise the commands would inherit it.
    root.getCommandSpec().usageMessage().customSynopsis("hourstone [OPTIONS] COMMAND …");
    return root;
  }

  /** Executes a command, or has a daemon execute it. */
  private int execute(ParseResult given) {
    boolean asks = given.isUsageHelpRequested() || given.isVersionHelpRequested();
    String server = global.server();
    if (server != null && !asks) {
      CommandLine last = last(given).commandSpec().commandLine();
      if (global.hasOwnSettings()) {
        throw new ParameterException(last, "--server: a daemon has its own store and settings");
      }
      if (takesServer(given)) {
        return new CommandLine.RunLast().execute(given);
      }
      try {
        JobCommand command = JobCommand.of(given);
        return new JobClient(session, server).run(command) ? ExitCode.OK : ExitCode.FAILED;
      } catch (UsageException e) {
        throw new ParameterException(last, String.valueOf(e.getMessage()), e);
      }
    }
    return new CommandLine.RunLast().execute(given);
  }

  private static ParseResult last(ParseResult given) {
    ParseResult last = given;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    return last;
  }

  private static boolean takesServer(ParseResult given) {
    return last(given).commandSpec().userObject() instanceof SessionCommand command
        && command.takesServer();
  }

  private static Integer wholeNumber(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a whole number up to 2147483647");
    }
  }

  private static BigDecimal decimal(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a number");
    }
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + text + "' can't be the name of a file");
    }
  }

  private void setSession(CommandLine command) {
    if (command.getCommand() instanceof SessionCommand each) {
      each.in(session);
      each.addOptions();
    }
    command.getSubcommands().values().forEach(this::setSession);
  }

  private int fail(CommandLine command, Exception e) {
    if (e instanceof StoreException failure
        && JobClient.isInUse(failure)
        && command.getCommand() instanceof SessionCommand each) {
      String instead = instead(each);
      return instead.isEmpty()
          ? inDaemon(command, failure)
          : fail(new CommandException(failure.getMessage() + "; " + instead, failure));
    }
    if (e instanceof StoreException && isUid(command)) {
      session.report(e);
      return ExitCode.STORE_FAILED;
    }
    return e instanceof UsageException && e.getCause() == null
        ? refuse(new ParameterException(command, String.valueOf(e.getMessage()), e))
        : fail(e);
  }

  /** What to do instead of a command whose store is in use; empty if a daemon executes it. */
  private static String instead(SessionCommand command) {
    try {
      return command.isJob() ? "" : command.whenInUse();
    } catch (UsageException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private int inDaemon(CommandLine command, StoreException failure) {
    try {
      JobClient client = JobClient.ofStore(session, failure);
      ParseResult given = command.getCommandSpec().root().commandLine().getParseResult();
      return client.run(JobCommand.of(given)) ? ExitCode.OK : ExitCode.FAILED;
    } catch (UsageException e) {
      return refuse(new ParameterException(command, String.valueOf(e.getMessage()), e));
    } catch (RuntimeException e) {
      return session.report(e);
    }
  }

  private static boolean isUid(CommandLine command) {
    CommandLine parent = command.getParent();
    Object object = command.getCommand();
    return object instanceof UidCommand
        || object instanceof MkmetricCommand
        || (parent != null && isUid(parent));
  }

  private int fail(Throwable e) {
    if (e instanceof OutputException output) {
      outputFailed = true;
      if (output.readerIsGone()) {
        return ExitCode.READER_GONE;
      }
    }
    return session.report(e);
  }

  private static String names(CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }

  private int refuse(ParameterException e) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    session.report(
        NO_COMMAND.equals(e.getMessage())
            ? "no command given; it may be " + names(command)
            : String.valueOf(e.getMessage()));
    if (e instanceof UnmatchedArgumentException unmatched) {
      UnmatchedArgumentException.printSuggestions(unmatched, err);
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }
}
