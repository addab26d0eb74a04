package org.hourstone.tsd.regions;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.hourstone.internal.Json;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.TableRegions.Region;
import org.hourstone.tsd.regions.Skew.Load;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;
import org.jspecify.annotations.Nullable;

/** Shows the regions of tables, as lines with columns or as a JSON object for each table. */
final class RegionsView {
  private static final String LINE = "%-16s  %-6s  %5s  %11s  %5s  %15s  %5s  %15s  %5s";

  private final TextOutput out;

  RegionsView(TextOutput out) {
    this.out = out;
  }

  /** How a table is divided: by region, by server, and by salt if there is one. */
  static List<Skew> skews(List<Region> regions, @Nullable KeyForm form) {
    List<Skew> skews = new ArrayList<>(List.of(Skew.byRegion(regions), Skew.byServer(regions)));
    if (form != null && form.saltWidth() > 0) {
      skews.add(Skew.bySalt(regions, form));
    }
    return skews;
  }

  void heading() {
    line(LINE, "table", "by", "parts", "MB", "skew", "writes", "skew", "reads", "skew");
  }

  void table(String table, List<Skew> skews) {
    for (Skew skew : skews) {
      Load total = skew.total();
      line(
          LINE,
          table,
          skew.by(),
          skew.parts().size(),
          ByteCount.megabytes(Math.round(total.bytes())),
          times(skew, Load::bytes),
          Plurals.number(Math.round(total.writes())),
          times(skew, Load::writes),
          Plurals.number(Math.round(total.reads())),
          times(skew, Load::reads));
    }
  }

  private static String times(Skew skew, ToDoubleFunction<Load> figure) {
    OptionalDouble times = skew.of(figure);
    return times.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f", times.getAsDouble());
  }

  private void line(String format, Object... columns) {
    out.line(String.format(Locale.ROOT, format, columns).stripTrailing());
  }

  void json(String table, List<Region> regions, List<Skew> skews) {
    ObjectNode object = Json.object().put("table", table);
    ArrayNode all = object.putArray("regions");
    for (Region region : regions) {
      byte[] stop = region.stop();
      all.addObject()
          .put("start", new Bytes(region.start()).toString())
          .put("stop", stop == null ? "" : new Bytes(stop).toString())
          .put("server", region.server())
          .put("bytes", region.bytes())
          .put("writes", region.writes())
          .put("reads", region.reads());
    }
    ObjectNode bySkew = object.putObject("skew");
    for (Skew skew : skews) {
      ObjectNode figures = bySkew.putObject(skew.by());
      figures.put("parts", skew.parts().size());
      put(figures, "bytes", skew.of(Load::bytes));
      put(figures, "writes", skew.of(Load::writes));
      put(figures, "reads", skew.of(Load::reads));
    }
    out.line(Json.text(object));
  }

  private static void put(ObjectNode object, String name, OptionalDouble times) {
    if (times.isEmpty()) {
      object.putNull(name);
    } else {
      object.put(name, times.getAsDouble());
    }
  }

  /**
   * @param at what begins at the key, in words
   */
  void split(SplitProposal split, String at, boolean isJson, boolean isDone) {
    if (isJson) {
      out.line(
          Json.text(
              Json.object()
                  .put("table", split.table())
                  .put("split", split.keyText())
                  .put("at", at)
                  .put("bytes", split.region().bytes())
                  .put("done", isDone)));
    } else {
      out.line(
          "%s %s at %s, %s MB: %s"
              .formatted(
                  isDone ? "split" : "could split",
                  split.table(),
                  split.keyText(),
                  ByteCount.megabytes(split.region().bytes()),
                  at));
    }
  }
}
