package org.hourstone.write;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.error.RequestException;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.ByteNumber.Width;
import org.jspecify.annotations.Nullable;

/**
 * Finds the series of points in lines, and reads their values: from text to points that can be
 * queued. Whatever is wrong with a line is an exception here, before anything of it is queued.
 * Thread-safe.
 */
final class PointResolver {
  private final SeriesTable seriesTable;
  private final TextOptions text;
  private final PointCheck check;
  private final LineParser parser;

  PointResolver(SeriesTable seriesTable, TextOptions text, PointCheck check) {
    this.seriesTable = seriesTable;
    this.text = text;
    this.check = check;
    this.parser = new LineParser(text.lines(), text.zone());
  }

  /**
   * The point of a telnet line; it is not queued yet. Throws as {@link PointWriter#putTelnetLine}
   * does.
   */
  ResolvedPoint telnet(String line) {
    String stripped = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    PointText point = parser.telnet(stripped);
    return resolve(point, point.known(seriesTable), this::telnetValue);
  }

  /**
   * Resolves the series of lines of an import file, and assigns UIDs to their new names in few
   * calls of the store. Errors in lines are left to {@link #resolve}.
   *
   * @param all whether lines after a malformed one are imported; else their names are not assigned
   */
  void prepare(List<ImportLine> lines, boolean all) {
    Map<String, SeriesName> missing = new LinkedHashMap<>();
    for (ImportLine line : lines) {
      try {
        prepare(line, missing);
      } catch (RequestException e) {
        if (!all) {
          break;
        }
      }
    }
    if (missing.size() > 1) {
      seriesTable.assign(missing.values());
    }
  }

  private void prepare(ImportLine line, Map<String, SeriesName> missing) {
    if (line.isEmpty()) {
      return;
    }
    line.checkIsText();
    PointText point = parser.importLine(line.text());
    String seriesText = point.metric() + ' ' + point.tags();
    line.point = point;
    line.series = point.known(seriesTable);
    if (line.series == null && !missing.containsKey(seriesText)) {
      SeriesName name = new SeriesName(point.metric(), LineParser.tags(point.tags()));
      PointValue value = value(point, this::importValue);
      if (!check.passes(point.timestamp(), value)) {
        throw check.failure(name.metric(), name.tags(), point.timestamp(), value);
      }
      seriesTable.checkNames(name.metric(), name.tags());
      missing.put(seriesText, name);
    }
  }

  /**
   * The point of a prepared line; it is not queued yet. Throws as a telnet line does, and {@link
   * RequestException} if it is not text.
   */
  ResolvedPoint resolve(ImportLine line) {
    line.checkIsText();
    PointText point = line.point == null ? parser.importLine(line.text()) : line.point;
    Series known = line.series;
    if (known == null || !seriesTable.isCurrent(known)) {
      known = point.known(seriesTable);
    }
    return resolve(point, known, this::importValue);
  }

  private ResolvedPoint resolve(
      PointText point, @Nullable Series known, Function<String, PointValue> reader) {
    Map<String, String> tags = known == null ? LineParser.tags(point.tags()) : Map.of();
    PointValue value = value(point, reader);
    if (!check.passes(point.timestamp(), value)) {
      throw check.failure(point.metric(), LineParser.tags(point.tags()), point.timestamp(), value);
    }
    Series series = known;
    if (series == null) {
      series = seriesTable.resolve(point.metric(), tags);
      point.remember(seriesTable, series);
    }
    return new ResolvedPoint(series, point.timestamp(), value);
  }

  /**
   * The value of a telnet line.
   *
   * @throws InvalidNumberException if it is not a number
   */
  PointValue telnetValue(String value) {
    return PointValue.exact(value, text.vanishingDecimals());
  }

  /** The value of a line, whose errors name it, but for those of OpenTSDB. */
  private PointValue value(PointText point, Function<String, PointValue> reader) {
    try {
      return reader.apply(point.value());
    } catch (InvalidNumberException e) {
      throw text.lines().invalidValue(e, point.value());
    }
  }

  private PointValue importValue(String value) {
    Width exact = ByteNumber.isDouble(value) ? Width.WIDE : Width.EXACT;
    return new ByteNumber(text.exactImport() ? exact : Width.NARROW)
        .parse(value, text.vanishingDecimals());
  }
}
