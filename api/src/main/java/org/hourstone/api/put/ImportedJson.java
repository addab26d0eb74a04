package org.hourstone.api.put;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.DefaultTag;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.jspecify.annotations.Nullable;

/**
 * Objects of JSON, one in each line, as lines for {@code import}: points as {@code /api/put} takes
 * them, and what else {@code /api/export} writes. Lines that begin with {@code #}, as in a file of
 * rejected lines, are comments.
 */
public final class ImportedJson extends ImportedText {
  private static final String ANNOTATION = "annotation";
  private static final String OMITTED = "omitted";

  /** The members of histograms, as {@code /api/histogram} takes them. */
  private static final List<String> HISTOGRAM = List.of("id", "buckets", "underflow", "overflow");

  /** The lines of an export that have nothing to store: its places and its end. */
  private static final List<String> MARKS = List.of("after", "end");

  private static final Set<String> FIELDS =
      Set.of(ANNOTATION, OMITTED, "id", "buckets", "underflow", "overflow", "after", "end");

  private static final DefaultTag NO_DEFAULT = new DefaultTag(Map.of());

  private final PutReader reader;
  private final NameRules rules;

  /**
   * @param rules those for stored names
   * @param zone of dates
   */
  public ImportedJson(NameRules rules, ZoneId zone) {
    this.reader = new PutReader(FIELDS, BodyDialect.HOURSTONE, zone);
    this.rules = rules;
  }

  @Override
  public String option() {
    return "json";
  }

  @Override
  public String apply(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return "";
    }
    PutPoint point = point(text);
    String other = other(point);
    if (other == null) {
      return importLine(point);
    }
    if (!MARKS.contains(other)) {
      skip(other);
    }
    return "";
  }

  private PutPoint point(String text) {
    if (text.charAt(0) != '{') {
      throw new RequestException("not an object of JSON");
    }
    try {
      List<@Nullable PutPoint> points = reader.read(text, 0);
      PutPoint point = points.get(0);
      if (point == null || points.size() > 1) {
        throw new RequestException("more than an object of JSON");
      }
      return point;
    } catch (ApiException e) {
      String details = e.details().isEmpty() ? "" : ": " + e.details();
      throw new RequestException(e.getMessage() + details, e);
    }
  }

  /** What a line has instead of a point; null for a point. */
  private static @Nullable String other(PutPoint point) {
    if (has(point, ANNOTATION)) {
      return "annotations";
    }
    if (HISTOGRAM.stream().anyMatch(member -> has(point, member))) {
      return "histograms";
    }
    if (point.metric() != null || point.value() != null) {
      return null;
    }
    return has(point, OMITTED)
        ? "cells that the export omitted"
        : MARKS.stream().filter(member -> has(point, member)).findFirst().orElse(null);
  }

  private static boolean has(PutPoint point, String member) {
    JsonNode value = point.others().get(member);
    return value != null && !value.isNull();
  }

  /** Names and values are the words of a line, so they have no blanks. */
  private String importLine(PutPoint point) {
    Map<String, @Nullable String> given = NO_DEFAULT.orThose(point.tags());
    String value = Objects.requireNonNullElse(point.value(), "");
    String why = point.refusal(!value.isEmpty(), given);
    if (why != null) {
      throw new RequestException(why);
    }
    String metric = String.valueOf(point.metric());
    if (metric.startsWith("#")) {
      rules.check("metric name", metric); // else it is a comment
    }
    if (value.indexOf(' ') >= 0) {
      throw new RequestException("value '" + value + "' has a blank");
    }
    checkIsWord(metric, "");
    StringBuilder words = new StringBuilder(metric);
    words.append(' ').append(point.timestamp()).append(' ').append(value);
    SortedMap<String, String> tags = new TreeMap<>(PutBlock.complete(given));
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      checkIsWord(tag.getKey(), "=");
      checkIsWord(tag.getValue(), "=");
      words.append(' ').append(tag.getKey()).append('=').append(tag.getValue());
    }
    return words.toString();
  }

  private static void checkIsWord(String name, String divider) {
    if (name.indexOf(' ') >= 0 || (!divider.isEmpty() && name.contains(divider))) {
      throw new RequestException(
          "the name '" + name + "' has a blank or =: only /api/put stores such a point");
    }
  }
}
