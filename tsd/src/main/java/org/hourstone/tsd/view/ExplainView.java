package org.hourstone.tsd.view;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.hourstone.kv.ScanCounts;
import org.hourstone.query.Explanation;
import org.hourstone.query.QueryLimits;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;

/** Shows how queries were executed, as text. */
public final class ExplainView {
  private final TextOutput out;
  private final ZoneId zone;

  public ExplainView(TextOutput out, ZoneId zone) {
    this.out = out;
    this.zone = zone;
  }

  public void show(Explanation explanation) {
    out.line(explanation.query());
    explanation.parts().forEach(this::show);
    show(explanation.cost());
    QueryLimits limits = explanation.limits();
    out.line(
        "  limits: "
            + Plurals.count(explanation.threads(), "thread")
            + ", "
            + limit(limits.bytes(), "bytes")
            + ", "
            + limit(limits.points(), "points")
            + ", "
            + limit(limits.series(), "series")
            + ", "
            + limit(limits.millis(), "ms")
            + ", "
            + limit(limits.memoryBytes(), "bytes held"));
    explanation.values().forEach(this::show);
  }

  private static String limit(long limit, String unit) {
    return (limit == QueryLimits.UNLIMITED ? "any" : Plurals.number(limit)) + " " + unit;
  }

  private void show(Explanation.Part part) {
    out.line(
        "  "
            + time(part.fromMillis())
            + " to "
            + time(part.toMillis())
            + " from "
            + part.source()
            + " ("
            + part.rows().table()
            + ")"
            + (part.answered() ? "" : ": nothing there"));
    String ranges =
        part.rows().saltBuckets() == 1
            ? ""
            : ", in each of " + part.rows().saltBuckets() + " salt buckets";
    out.line(
        "    rows from "
            + time(part.rows().fromSeconds() * 1000)
            + " to "
            + time(part.rows().toSeconds() * 1000)
            + ranges);
    out.line(
        part.series().known() < 0
            ? "    scanned: " + part.series().why()
            : "    read by key: "
                + Plurals.number(part.series().known())
                + " series, "
                + part.series().why());
    show("    filters by key: ", part.filters().byKey());
    show("    filters by name: ", part.filters().byName());
    if (part.downsampledAsRead()) {
      out.line("    downsampled as it is read");
    }
  }

  private void show(String title, List<String> filters) {
    if (!filters.isEmpty()) {
      out.line(title + String.join(", ", filters));
    }
  }

  private void show(Explanation.Cost cost) {
    out.line(
        "  read: "
            + Plurals.count(cost.rows(), "row")
            + ", "
            + Plurals.count(cost.bytes(), "byte")
            + ", "
            + Plurals.count(cost.points(), "point")
            + ", "
            + Plurals.count(cost.series(), "series", "series"));
    ScanCounts.Rows store = cost.store();
    if (store != null) {
      out.line(
          "  scans of the store: "
              + Plurals.count(store.scanned(), "row")
              + " scanned, "
              + Plurals.number(store.shipped())
              + " sent, "
              + Plurals.number(store.returned())
              + " kept");
    }
  }

  private void show(Explanation.Value value) {
    String text = value.text() == null ? " has no value" : " = " + value.text();
    out.line(value.metric() + " " + value.tags() + " at " + time(value.millis()) + text);
    for (Explanation.Origin origin : value.origins()) {
      out.line("  " + origin.tsuid() + " " + origin.kind().verb());
      origin
          .points()
          .forEach(point -> out.line("    " + time(point.millis()) + "  " + point.text()));
      if (origin.more() > 0) {
        out.line("    and " + Plurals.count(origin.more(), "point") + " more");
      }
    }
  }

  private String time(long millis) {
    return Instant.ofEpochMilli(millis).atZone(zone).toOffsetDateTime().toString();
  }
}
