package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.hourstone.Tsdb;
import org.hourstone.tsd.session.Problem;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.uid.UidKind;
import org.hourstone.write.SingleLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code uid grep}. */
@Command(
    name = "grep",
    parameterListHeading = "",
    customSynopsis = "hourstone uid grep [-i] [KIND] REGEX",
    description = {
      "Shows the names in which a regular expression is found, and their UIDs.",
      "",
      "KIND is metrics, tagk or tagv; without it all of them are searched. The exit status is"
          + " 1 if there is no such name."
    },
    footer = {"  hourstone uid grep '^sys'", "  hourstone uid grep -i tagv 'web[0-9]+'"})
final class UidGrepCommand extends SessionCommand {
  @Option(
      names = {"-i", "--ignore-case"},
      description = "Ignores case.")
  boolean ignoreCase;

  @Parameters(arity = "1..2", hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  protected boolean run() {
    Set<UidKind> kinds =
        words.size() == 1 ? EnumSet.allOf(UidKind.class) : EnumSet.of(UidKind.parse(words.get(0)));
    Pattern pattern = pattern(words.get(words.size() - 1));
    AtomicBoolean found = new AtomicBoolean();
    try (Tsdb db = session().store().openToRead()) {
      for (UidKind kind : kinds) {
        db.uids()
            .forEach(
                kind,
                (name, uid) -> {
                  if (pattern.matcher(name).find()) {
                    found.set(true);
                    out().line(SingleLine.of(UidAssignment.line(kind, name, uid)));
                  }
                });
      }
    }
    return found.get();
  }

  private Pattern pattern(String regex) {
    try {
      return Pattern.compile(regex, ignoreCase ? Pattern.CASE_INSENSITIVE : 0);
    } catch (PatternSyntaxException e) {
      throw new UsageException(Problem.badPattern(e));
    }
  }
}
