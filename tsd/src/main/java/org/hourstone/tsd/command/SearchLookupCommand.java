package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesLookup;
import org.hourstone.index.SeriesPattern;
import org.hourstone.internal.UidText;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.SeriesNames;
import org.hourstone.write.SingleLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code search lookup}. */
@Command(
    name = "lookup",
    parameterListHeading = "",
    customSynopsis = "hourstone search lookup [--use-data-table] [--limit N] METRIC TAGK=TAGV…",
    description = {
      "Shows the series of a metric that have at least these tags: TSUID, metric, tags.",
      "",
      "METRIC, TAGK and TAGV may be * for any; METRIC may be omitted. TAGV may be values with |"
          + " between them, and a * in it matches any text. Tags with the same name are"
          + " alternatives. The result is from the series index if that can be used,"
          + " otherwise from the meta table; if that is not maintained and has no such series,"
          + " from the data table. The exit"
          + " status is 1 if there is no such series."
    },
    footer = {
      "  hourstone search lookup sys.cpu.user host=web01",
      "  hourstone search lookup '*=web01'"
    })
final class SearchLookupCommand extends SessionCommand {
  @Option(
      names = {"--use-data-table", "--use_data_table"},
      description = "Reads the data table.")
  boolean useDataTable;

  @Option(names = "--limit", paramLabel = "N", description = "Maximum number of series shown.")
  long limit = Long.MAX_VALUE;

  @Parameters(arity = "1..*", paramLabel = "METRIC TAGK=TAGV", hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  protected boolean run() {
    if (limit < 1) {
      throw new UsageException("--limit " + limit + ": must be at least 1");
    }
    SeriesPattern pattern = pattern();
    long[] found = new long[1];
    try (Tsdb db = session().store().openToRead()) {
      SeriesNames names = db.seriesNames();
      SeriesLookup lookup = db.lookup();
      session().settings().options().lookupDialect().checkValues(pattern);
      if (!useDataTable) {
        lookup.find(pattern, limit, tsuid -> show(names, tsuid, found));
      } else {
        session()
            .settings()
            .options()
            .lookupDialect()
            .findInData(lookup, pattern, limit, tsuid -> show(names, tsuid, found));
      }
    }
    if (found[0] == 0) {
      session().report("no such series");
    }
    return found[0] > 0;
  }

  private SeriesPattern pattern() {
    boolean named = words.get(0).indexOf('=') < 0;
    try {
      return new SeriesPattern(
          named ? words.get(0) : "",
          words.stream().skip(named ? 1 : 0).map(SeriesPattern.Tag::parse).toList());
    } catch (RequestException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private void show(SeriesNames names, byte[] tsuid, long[] found) {
    found[0]++;
    SeriesName name = names.text(tsuid);
    StringBuilder line = new StringBuilder(UidText.format(tsuid)).append(' ').append(name.metric());
    name.sortedTags()
        .forEach((tagk, tagv) -> line.append(' ').append(tagk).append('=').append(tagv));
    out().line(SingleLine.of(line.toString()));
  }
}
