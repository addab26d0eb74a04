package org.hourstone.api.prometheus;

import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.door.NameBytes;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.ShortText;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;

/**
 * Series by the bytes of their labels, as fields of remote write's messages: the metric is the
 * label {@code __name__}, the tags are the others. A label with an empty value is as if it were
 * absent. Thread-safe.
 */
final class LabelSets implements EncodedPoints.Protocol {
  /** The number of the field of labels. */
  static final int LABEL = 1;

  static final int NAME = 1;
  static final int VALUE = 2;

  /** The label that has the metric. */
  static final String METRIC = "__name__";

  private static final int MOST_TEXT = 300;

  /** Bytes of labels; most names of that length could not be stored. */
  static final int LONGEST = 1 << 16;

  static final String SERIES_HAS = "a series has labels of";

  private final NameRules rules;

  LabelSets(NameRules rules) {
    this.rules = rules;
  }

  @Override
  public SeriesName name(byte[] text, int from, int to, int from2, int to2) {
    NameBytes.check(SERIES_HAS, to - from, LONGEST);
    Map<String, String> labels = labels(new ProtoReader(text, from, to));
    String metric = labels.get(METRIC);
    if (metric == null) {
      throw new RequestException("the series " + text(labels) + " has no label __name__");
    }
    labels.remove(METRIC);
    SeriesName series = EscapedNames.series(metric, labels, rules);
    try {
      rules.checkSeries(series.metric(), series.tags());
    } catch (RequestException e) {
      throw new RequestException(
          "the series " + ShortText.of(metric + text(labels), MOST_TEXT) + ": " + e.getMessage(),
          e);
    }
    return series;
  }

  /** Most of them are not kept if there are too many. */
  private Map<String, String> labels(ProtoReader in) {
    Map<String, String> labels = new TreeMap<>();
    try {
      while (in.next()) {
        addLabel(in, labels);
        if (labels.size() > rules.maxTags() + 1) {
          throw tooMany(labels);
        }
      }
    } catch (UnreadableException e) { // the rest of the request can be read
      throw new RequestException("a label can't be read: " + e.why(), e);
    }
    return labels;
  }

  private RequestException tooMany(Map<String, String> labels) {
    return new RequestException(
        "the series "
            + text(labels)
            + " has more than "
            + rules.maxTags()
            + " labels beside its name: raise tsd.storage.max_tags");
  }

  private static void addLabel(ProtoReader in, Map<String, String> to) throws UnreadableException {
    String name = "";
    String value = "";
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case NAME -> name = in.text();
        case VALUE -> value = in.text();
        default -> {}
      }
    }
    in.leave(outer);
    if (name.isEmpty()) {
      throw new RequestException(
          "a series has a label without a name, with the value " + ShortText.of(value, MOST_TEXT));
    }
    if (!value.isEmpty() && to.put(name, value) != null) {
      throw new RequestException(
          "a series has the label " + ShortText.of(name, MOST_TEXT) + " twice: " + text(to));
    }
  }

  private static String text(Map<String, String> labels) {
    return ShortText.of(labels.toString(), MOST_TEXT);
  }
}
