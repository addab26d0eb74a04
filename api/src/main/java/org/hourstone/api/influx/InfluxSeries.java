package org.hourstone.api.influx;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.door.NameBytes;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;

/**
 * The series of lines: the first range is measurement and tags, the second a field's name. The
 * metric is the measurement, a dot and the field.
 */
final class InfluxSeries implements EncodedPoints.Protocol {
  /** Bytes of a measurement or a field: their names are in memory once for each field of a line. */
  private static final int LONGEST_NAME = 1024;

  /** Bytes of a measurement with its tags. */
  private static final int LONGEST_KEY = 8192;

  /** The tags of a series that has none. */
  private static final Map<String, String> NONE = Map.of(EscapedNames.BEGIN, EscapedNames.BEGIN);

  private final NameRules rules;

  InfluxSeries(NameRules rules) {
    this.rules = rules;
  }

  /**
   * Checks measurement and tags, once for all fields of a line.
   *
   * @throws LineFault if they can be those of no series
   */
  void check(byte[] text, int from, int to) throws LineFault {
    try {
      NameBytes.check("measurement and tags have", to - from, LONGEST_KEY);
      measurement(text, from, to);
      tags(text, from, to);
    } catch (RequestException e) {
      throw new LineFault(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public SeriesName name(byte[] text, int from, int to, int from2, int to2) {
    return new SeriesName(metric(text, from, to, from2, to2), tags(text, from, to));
  }

  @Override
  public SeriesName name(SeriesName sibling, byte[] text, int from, int to, int from2, int to2) {
    return new SeriesName(metric(text, from, to, from2, to2), sibling.tags());
  }

  private String metric(byte[] text, int from, int to, int from2, int to2) {
    NameBytes.check("the name of a field has", to2 - from2, LONGEST_NAME);
    String field = LineText.name(text, from2, to2, false);
    return EscapedNames.escaped(measurement(text, from, to) + "." + field, rules);
  }

  private static String measurement(byte[] text, int from, int to) {
    int end = LineText.indexOf(text, from, to, ',');
    if (end == from) {
      throw new RequestException("there is no measurement");
    }
    NameBytes.check("the measurement has", end - from, LONGEST_NAME);
    return LineText.name(text, from, end, true);
  }

  private Map<String, String> tags(byte[] text, int from, int to) {
    int at = LineText.indexOf(text, from, to, ',');
    if (at == to) {
      return NONE;
    }
    checkCount(text, at, to);
    Map<String, String> tags = new LinkedHashMap<>();
    while (at < to) {
      int end = LineText.indexOf(text, at + 1, to, ',');
      addTag(text, at + 1, end, tags);
      at = end;
    }
    return tags;
  }

  private void checkCount(byte[] text, int from, int to) {
    int tags = 0;
    for (int at = from; at < to; at = LineText.indexOf(text, at + 1, to, ',')) {
      tags++;
    }
    if (tags > rules.maxTags()) {
      throw EncodedPoints.tooManyTags(tags, rules.maxTags());
    }
  }

  private void addTag(byte[] text, int from, int to, Map<String, String> tags) {
    int equals = LineText.indexOf(text, from, to, '=');
    if (equals == from) {
      throw new RequestException("a tag has no name");
    }
    String tagk = LineText.name(text, from, equals, false);
    if (equals >= to - 1) {
      throw new RequestException("the tag " + tagk + " has no value");
    }
    if (LineText.indexOf(text, equals + 1, to, '=') < to) {
      throw new RequestException(
          "the value of the tag " + tagk + " has an equals sign without a backslash");
    }
    String tagv = LineText.name(text, equals + 1, to, false);
    String former = tags.put(EscapedNames.escaped(tagk, rules), EscapedNames.escaped(tagv, rules));
    if (former != null) {
      throw new RequestException("the tag " + tagk + " is given twice");
    }
  }
}
