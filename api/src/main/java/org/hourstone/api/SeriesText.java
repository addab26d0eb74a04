package org.hourstone.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.error.RequestException;

/**
 * The text form of a series: {@code metric{tag=value,tag=value}}, or a metric alone.
 *
 * @param tags by name, in their order; may be empty
 */
record SeriesText(String metric, Map<String, String> tags) {
  /**
   * @throws RequestException if it is not of this form
   */
  static SeriesText parse(String text) {
    int open = text.indexOf('{');
    if (open < 0) {
      return new SeriesText(text, Map.of());
    }
    if (!text.endsWith("}")) {
      throw new RequestException("Missing '}' at the end of: " + text);
    }
    Map<String, String> tags = new LinkedHashMap<>();
    String list = text.substring(open + 1, text.length() - 1);
    for (String tag : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      int equals = tag.indexOf('=');
      if (equals < 1 || equals == tag.length() - 1) {
        throw new RequestException("invalid tag: " + tag);
      }
      String old = tags.put(tag.substring(0, equals), tag.substring(equals + 1));
      if (old != null && !old.equals(tag.substring(equals + 1))) {
        throw new RequestException("duplicate tag: " + tag);
      }
    }
    return new SeriesText(text.substring(0, open), tags);
  }
}
