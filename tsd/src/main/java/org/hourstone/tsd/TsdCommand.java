package org.hourstone.tsd;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code tsd}: OpenTSDB's daemon, which does not exist yet. */
@Command(name = "tsd", hidden = true, description = "There is no daemon yet.")
final class TsdCommand implements Callable<Integer> {
  @Unmatched List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    throw new CommandException(
        "there is no daemon yet: 'hourstone put -' stores telnet lines from standard input, and"
            + " hourstone-api has OpenTSDB's HTTP requests for a server of your own");
  }
}
