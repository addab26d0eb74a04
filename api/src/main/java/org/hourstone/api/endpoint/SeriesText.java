package org.hourstone.api.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesPattern;

/**
 * The text form of a series: {@code metric{tag=value,tag=value}}, or a metric alone.
 *
 * @param tags by name, in their order; may be empty
 */
public record SeriesText(String metric, Map<String, String> tags) {
  /**
   * @throws RequestException if it is not of this form
   */
  public static SeriesText parse(String text) {
    SeriesPattern series = SeriesPattern.parse(text);
    Map<String, String> tags = new LinkedHashMap<>();
    for (SeriesPattern.Tag tag : series.tags()) {
      String other = tags.put(tag.name(), tag.value());
      if (other != null && !other.equals(tag.value())) {
        throw new RequestException("duplicate tag: " + tag.name() + "=" + tag.value());
      }
    }
    return new SeriesText(series.metric(), tags);
  }
}
