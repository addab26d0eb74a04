package org.hourstone.tsd.command;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.codec.RowKey;
import org.hourstone.query.Query;
import org.hourstone.tool.Admin;
import org.hourstone.tool.RowScan;
import org.hourstone.tsd.session.LostRows;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.view.ImportLineView;
import org.hourstone.tsd.view.RawRowView;
import org.hourstone.tsd.view.RowView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code scan}. */
@Command(
    name = "scan",
    parameterListHeading = "",
    customSynopsis = {
      "hourstone scan [--import | --raw] [--delete] [OPTIONS] START [END] EXPRESSION…",
      "hourstone scan [--import | --raw] [--delete] [OPTIONS] START [END] AGGREGATOR METRIC"
          + " [TAG=FILTER]…"
    },
    description = {
      "Shows rows of whole hours in their stored form: the key in hex and by name, every cell in"
          + " hex, and its meaning.",
      "",
      "START, END and EXPRESSION are those of query. Aggregator and downsampling only affect"
          + " which hours are read.",
      "",
      "--delete deletes the cells that were shown, once they have been written out. Unless --raw"
          + " is given, the output is lines for import, from which the points can be restored;"
          + " cells that no line can represent, such as annotations, then stay. A cell that has"
          + " changed since it was read stays, too."
    },
    footer = {
      "  hourstone scan 2014/02/14 2014/02/15 'sum:ec2.cpu{instance=24ae8d}'",
      "  hourstone scan --import 2014/02/14 2014/02/15 sum ec2.cpu > points",
      "  hourstone scan --delete 2014/02/14 2014/02/15 'sum:ec2.cpu' > deleted"
    })
public final class ScanCommand extends SessionCommand {
  @ArgGroup @Nullable Form form;

  @Option(names = "--delete", description = "Deletes the cells that were shown.")
  boolean delete;

  @Option(
      names = "--write-time",
      description = "Raw form: adds the time each cell was written, in ms.")
  boolean writeTime;

  @Option(names = "--skip-unreadable", description = LostRows.DESCRIPTION)
  boolean skipUnreadable;

  @Parameters(hidden = true)
  List<String> words = new ArrayList<>();

  /** At most one of them. */
  static final class Form {
    @Option(
        names = "--import",
        description =
            "Shows points as lines for import. Cells that no line can represent are counted on"
                + " standard error; if corrupt cells are among them, the exit status is 1.")
    boolean lines;

    @Option(names = "--raw", description = "Shows rows in their stored form: the default.")
    boolean raw;
  }

  @Override
  public String whenInUse() {
    return QueryCommand.DELETED_BY_DAEMON;
  }

  @Override
  protected boolean run() {
    List<Query> queries = QueryWords.parse(words, session());
    boolean lines = form == null ? delete : form.lines;
    if (writeTime && lines) {
      throw new UsageException("--write-time requires the raw form" + (delete ? ": --raw" : ""));
    }
    LostRows lost = skipUnreadable ? session().store().skipUnreadable() : null;
    try (Tsdb db = delete ? session().store().openExisting() : session().store().openToRead()) {
      RowView view =
          lines
              ? new ImportLineView(session(), Admin.of(db).importLines())
              : new RawRowView(
                  out(), db, new RowKey(session().settings().options().schema()), writeTime);
      RowScan rows = Admin.of(db).scan(queries);
      if (delete) {
        rows.deleteEach(view::show, out()::flush);
      } else {
        rows.forEach(view::show);
      }
      return view.finish() && (lost == null || lost.isEmpty());
    }
  }
}
