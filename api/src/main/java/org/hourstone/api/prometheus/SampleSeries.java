package org.hourstone.api.prometheus;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.EscapedNames;
import org.hourstone.api.door.NameBytes;
import org.hourstone.error.RequestException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;

/**
 * Series by name and labels in Prometheus' text: {@code name{label="value"}}, or, for names of any
 * characters, {@code {"name","label"="value"}}. Names are stored as those of remote write.
 * Thread-safe.
 */
final class SampleSeries implements EncodedPoints.Protocol {
  /** Bytes of a name with its labels. */
  private static final int LONGEST = 8192;

  private final NameRules rules;

  SampleSeries(NameRules rules) {
    this.rules = rules;
  }

  @Override
  public SeriesName name(byte[] text, int from, int to, int from2, int to2) {
    NameBytes.check("name and labels have", to - from, LONGEST);
    return new Reader(text, from, to).read();
  }

  /** Reads one series. */
  private final class Reader {
    private final byte[] text;
    private final int to;
    private int at;
    private String metric = "";
    private final Map<String, String> labels = new TreeMap<>();

    Reader(byte[] text, int from, int to) {
      this.text = text;
      this.at = from;
      this.to = to;
    }

    SeriesName read() {
      int begin = at;
      while (at < to && text[at] != '{' && !DoorLines.isBlank(text[at])) {
        at++;
      }
      metric = plain(begin, at, true);
      skipBlanks();
      if (at < to) {
        readLabels();
      }
      if (metric.isEmpty()) {
        throw new RequestException("the sample has no name");
      }
      if (labels.size() > rules.maxTags()) {
        throw EncodedPoints.tooManyTags(labels.size(), rules.maxTags());
      }
      return EscapedNames.series(metric, labels, rules);
    }

    /** Those between braces. */
    private void readLabels() {
      at++;
      skipBlanks();
      while (text[at] != '}') {
        readLabel();
        skipBlanks();
        if (text[at] == ',') {
          at++;
          skipBlanks();
        } else if (text[at] != '}') {
          throw new RequestException(
              "there is no comma between two labels: " + SampleLine.shown(text, at, to));
        }
      }
    }

    private void readLabel() {
      boolean isQuoted = text[at] == '"';
      String name = isQuoted ? quoted() : plainLabel();
      skipBlanks();
      if (text[at] != '=') {
        if (!isQuoted) {
          throw new RequestException("the label " + name + " has no value");
        }
        setMetric(name);
        return;
      }
      at++;
      skipBlanks();
      if (text[at] != '"') {
        throw new RequestException("the value of the label " + name + " is not in quotes");
      }
      String value = quoted();
      if (name.equals(LabelSets.METRIC)) {
        setMetric(value);
      } else if (name.isEmpty()) {
        throw new RequestException("a label has no name");
      } else if (!value.isEmpty() && labels.put(name, value) != null) {
        throw new RequestException("the label " + name + " is given twice");
      }
    }

    private void setMetric(String name) {
      if (!metric.isEmpty()) {
        throw new RequestException("the sample has two names: " + metric + " and " + name);
      }
      metric = name;
    }

    private String plainLabel() {
      int begin = at;
      while (at < to && "=,} \t\"".indexOf(text[at]) < 0) {
        at++;
      }
      String name = plain(begin, at, false);
      if (name.isEmpty()) {
        throw new RequestException("a label has no name: " + SampleLine.shown(text, begin, to));
      }
      return name;
    }

    /** A name without quotes: of letters, digits and underscores, of a metric also colons. */
    private String plain(int from, int until, boolean isMetric) {
      for (int i = from; i < until; i++) {
        byte c = text[i];
        boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        boolean isDigit = c >= '0' && c <= '9' && i > from;
        if (!isLetter && !isDigit && !(isMetric && c == ':')) {
          throw new RequestException(
              "the name "
                  + SampleLine.shown(text, from, until)
                  + " has other characters than letters, digits and underscores: in quotes, in"
                  + " the braces, it may");
        }
      }
      return new String(text, from, until - from, StandardCharsets.ISO_8859_1);
    }

    private String quoted() {
      int end = SampleLine.endOfString(text, at, to) - 1;
      byte[] plain = new byte[end - at];
      int length = 0;
      for (int i = at + 1; i < end; i++) {
        byte c = text[i];
        if (c == '\\' && i + 1 < end && "\\\"n".indexOf(text[i + 1]) >= 0) {
          i++;
          c = text[i] == 'n' ? (byte) '\n' : text[i];
        }
        plain[length++] = c;
      }
      at = end + 1;
      return NameBytes.text("a name or the value of a label", plain, 0, length);
    }

    private void skipBlanks() {
      at = DoorLines.skipBlanks(text, at, to);
    }
  }
}
