package org.hourstone.tsd.session;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.error.RequestException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command that a daemon may execute as a job.
 *
 * @param name such as {@code uid rename}
 * @param words its name, options and parameters
 */
public record JobCommand(String name, List<String> words, SessionCommand command) {
  /** How progress is shown; a daemon shows none. */
  private static final String PROGRESS = "--progress";

  /**
   * The command of a command line that was parsed.
   *
   * @throws UsageException if it is wrong, or can't be a job
   */
  public static JobCommand of(ParseResult given) {
    List<String> words = new ArrayList<>();
    ParseResult last = given;
    while (last.hasSubcommand()) {
      last = last.subcommand();
      words.add(last.commandSpec().name());
    }
    if (given.isUsageHelpRequested()
        || last.isUsageHelpRequested()
        || last.isVersionHelpRequested()) {
      throw new UsageException("a daemon shows no help");
    }
    String name = String.join(" ", words);
    if (!(last.commandSpec().userObject() instanceof SessionCommand command) || !command.isJob()) {
      throw new UsageException(
          (name.isEmpty() ? "no command" : name)
              + ": not a command that a daemon executes; those are flush, compact, fsck, index"
              + " rebuild, retention, rollup, writers, mkmetric and uid's, and with --server backup"
              + " and import");
    }
    for (ArgSpec each : last.matchedArgs()) {
      if (each instanceof OptionSpec option) {
        boolean isGlobal = given.commandSpec().findOption(option.longestName()) != null;
        if (!isGlobal && option.inherited()) {
          throw new UsageException(option.longestName() + ": a daemon has its own settings");
        }
        add(option, isGlobal, words);
      } else {
        words.addAll(each.originalStringValues());
      }
    }
    return new JobCommand(name, List.copyOf(words), command);
  }

  /**
   * As {@link #of(ParseResult)}, in the daemon, which has its own store and settings.
   *
   * @throws RequestException if it is wrong
   */
  public static JobCommand of(ParseResult given, GlobalOptions global) {
    JobCommand command = of(given);
    if (global.hasOwnSettings() || global.server() != null) {
      throw new UsageException("a daemon has its own store and settings");
    }
    command.command().check();
    return command;
  }

  private static void add(OptionSpec option, boolean isGlobal, List<String> words) {
    if (isGlobal || option.names()[0].equals(PROGRESS)) {
      return; // of the client
    }
    if (option.arity().max() == 0) {
      words.add(option.longestName());
      return;
    }
    for (String value : option.originalStringValues()) {
      words.add(option.longestName() + "=" + value);
    }
  }

  /** Executes it. */
  public boolean run() {
    try {
      return command.call() == ExitCode.OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }
}
