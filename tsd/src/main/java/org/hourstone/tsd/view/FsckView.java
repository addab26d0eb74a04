package org.hourstone.tsd.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;
import org.hourstone.tool.FsckReport;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;

/** The report of a run of {@code fsck}. */
public final class FsckView {
  private static final HexFormat HEX = HexFormat.of();

  private final TextOutput out;
  private final boolean fix;

  public FsckView(TextOutput out, boolean fix) {
    this.out = out;
    this.fix = fix;
  }

  /**
   * @param lost how many ranges of rows could not be read
   */
  public void text(FsckReport report, FsckPlaces places, int lost) {
    report.found().forEach((kind, count) -> text(kind, count, report, places.of(kind)));
    out.line(
        Plurals.count(report.rows(), "row")
            + " with "
            + Plurals.count(report.cells(), "cell")
            + " and "
            + Plurals.count(report.points(), "point")
            + (report.annotations() > 0
                ? ", " + Plurals.count(report.annotations(), "annotation")
                : "")
            + (report.histograms() > 0
                ? ", " + Plurals.count(report.histograms(), "histogram")
                : "")
            + (report.compactedRows() > 0
                ? "; " + Plurals.count(report.compactedRows(), "row") + " compacted"
                : ""));
    if (lost > 0) {
      out.line(Plurals.count(lost, "range") + " of rows could not be read");
    }
    if (report.errors() == 0) {
      out.line(lost == 0 ? "no errors" : "no errors in the rows that could be read");
    } else {
      long fixed = report.errors() - report.errorsLeft();
      out.line(
          Plurals.count(report.errors(), "error")
              + (fix ? ", " + fixed + " fixed, " + report.errorsLeft() + " left" : ""));
    }
  }

  private void text(FsckKind kind, long count, FsckReport report, List<FsckFinding> shown) {
    long fixed = report.fixed().getOrDefault(kind, 0L);
    out.line(
        kind.label()
            + ": "
            + Plurals.count(count, kind.isError() ? "error" : "info finding")
            + (fix ? ", " + fixed + " fixed" : "")
            + (fixed < count ? "; repaired by " + kind.remedyText() : "")
            + " ("
            + kind.description()
            + ")");
    for (FsckFinding place : shown) {
      byte[] qualifier = place.qualifier();
      out.line(
          "  "
              + (fix ? state(place) + ": " : "")
              + "row "
              + HEX.formatHex(place.row())
              + (place.name().isEmpty() ? "" : " " + place.name())
              + (qualifier == null ? "" : ", cell " + HEX.formatHex(qualifier))
              + ": "
              + place.text());
    }
    if (shown.size() < count) {
      out.line("  and " + (count - shown.size()) + " more");
    }
  }

  private static String state(FsckFinding place) {
    return place.state().name().toLowerCase(Locale.ROOT);
  }

  /**
   * @param lost how many ranges of rows could not be read
   */
  public void json(FsckReport report, FsckPlaces places, int lost) {
    try (JsonGenerator json = new JsonFactory().createGenerator(out.stream())) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeBooleanField("fix", fix);
      json.writeNumberField("rows", report.rows());
      json.writeNumberField("cells", report.cells());
      json.writeNumberField("points", report.points());
      json.writeNumberField("annotations", report.annotations());
      json.writeNumberField("histograms", report.histograms());
      json.writeNumberField("compactedRows", report.compactedRows());
      json.writeNumberField("unreadableRanges", lost);
      json.writeNumberField("errors", report.errors());
      json.writeNumberField("errorsLeft", report.errorsLeft());
      json.writeArrayFieldStart("kinds");
      for (Map.Entry<FsckKind, Long> found : report.found().entrySet()) {
        FsckKind kind = found.getKey();
        json.writeStartObject();
        json.writeStringField("kind", kind.label());
        json.writeBooleanField("error", kind.isError());
        json.writeNumberField("found", found.getValue());
        json.writeNumberField("fixed", report.fixed().getOrDefault(kind, 0L));
        json.writeStringField("repairedBy", kind.remedyText());
        json.writeArrayFieldStart("places");
        for (FsckFinding place : places.of(kind)) {
          json(json, place);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private static void json(JsonGenerator json, FsckFinding place) throws IOException {
    json.writeStartObject();
    json.writeStringField("row", HEX.formatHex(place.row()));
    json.writeStringField("name", place.name());
    byte[] qualifier = place.qualifier();
    if (qualifier != null) {
      json.writeStringField("qualifier", HEX.formatHex(qualifier));
    }
    json.writeStringField("what", place.text());
    json.writeStringField("state", state(place));
    json.writeEndObject();
  }
}
