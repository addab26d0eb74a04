package org.hourstone.tsd.command;

import java.util.Locale;
import java.util.Optional;
import org.hourstone.Tsdb;
import org.hourstone.index.MetricCardinality;
import org.hourstone.index.TagCardinality;
import org.hourstone.internal.UidText;
import org.hourstone.tsd.session.CommandException;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.SingleLine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code index cardinality}. */
@Command(
    name = "cardinality",
    description = {
      "Counts the series of a metric, and the values of each of its tag names; or the series of"
          + " each"
          + " value of one tag name, those with the most series first.",
      "",
      "It is computed from the series index, which must be complete."
    },
    footer = {
      "  hourstone index cardinality sys.cpu.user",
      "  hourstone index cardinality sys.cpu.user host --top 10"
    })
final class IndexCardinalityCommand extends SessionCommand {
  @Parameters(index = "0", paramLabel = "METRIC")
  String metric = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "TAGK")
  @Nullable String tagk;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Number of values shown. Default: ${DEFAULT-VALUE}.")
  int top = 20;

  @Override
  protected boolean run() {
    if (top < 1) {
      throw new UsageException("--top " + top + ": must be at least 1");
    }
    try (Tsdb db = session().store().openIndexToRead()) {
      byte[] uid = db.uids().uid(UidKind.METRIC, metric);
      if (tagk == null) {
        MetricCardinality counted = counted(db.index().cardinality(uid, 0));
        line(counted.series(), metric, "");
        for (TagCardinality tag : counted.tags()) {
          line(
              tag.series(),
              name(db.uids(), UidKind.TAGK, tag.tagk()),
              ", " + Plurals.count(tag.values(), "value"));
        }
      } else {
        byte[] key = db.uids().uid(UidKind.TAGK, tagk);
        TagCardinality counted = counted(db.index().cardinality(uid, key, top));
        line(counted.series(), tagk, ", " + Plurals.count(counted.values(), "value"));
        for (TagCardinality.ValueCount value : counted.top()) {
          line(value.series(), tagk + "=" + name(db.uids(), UidKind.TAGV, value.tagv()), "");
        }
      }
    }
    return true;
  }

  private static <T> T counted(Optional<T> answer) {
    return answer.orElseThrow(
        () ->
            new CommandException(
                "the series index can't be used: it is off, not complete ('hourstone index"
                    + " status'),"
                    + " or the metric doesn't fit in hourstone.index.memory_bytes"));
  }

  private static String name(UidTable uids, UidKind kind, byte[] uid) {
    try {
      return uids.name(kind, uid);
    } catch (NoSuchUidException e) {
      return "?" + UidText.format(uid);
    }
  }

  private void line(int series, String what, String more) {
    out().line(String.format(Locale.ROOT, "%,12d  %s%s", series, SingleLine.of(what), more));
  }
}
