package org.hourstone.tsd.command;

import org.hourstone.Tsdb;
import org.hourstone.index.IndexStatus;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.terminal.Plurals;
import picocli.CommandLine.Command;

/** {@code index status}. */
@Command(
    name = "status",
    description = {
      "Shows whether the series index is maintained and complete.",
      "",
      "The exit status is 1 if it isn't used."
    },
    footer = {"  hourstone index status"})
final class IndexStatusCommand extends SessionCommand {
  @Override
  protected boolean run() {
    try (Tsdb db = session().store().openIndexToRead()) {
      IndexStatus status = db.index().status();
      boolean used = status.on() && status.complete();
      out()
          .line(
              "the series index in "
                  + session().settings().options().indexFamily().table()
                  + " is "
                  + status.text()
                  + (status.on() ? "" : ", and off")
                  + (used ? "" : "; queries read the data table instead"));
      if (status.complete()) {
        long[] sum = new long[2];
        db.index()
            .forEachMetric(
                (metric, series) -> {
                  sum[0]++;
                  sum[1] += series;
                });
        out()
            .line(
                Plurals.count(sum[1], "series", "series")
                    + " of "
                    + Plurals.count(sum[0], "metric"));
      }
      return used;
    }
  }
}
