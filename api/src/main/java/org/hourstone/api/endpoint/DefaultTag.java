package org.hourstone.api.endpoint;

import java.util.HashMap;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.error.RequestException;
import org.hourstone.write.LineParser;
import org.jspecify.annotations.Nullable;

/**
 * The tag of points that have no tags, if one is configured. Otherwise such points are refused.
 *
 * @param tags that tag; empty if none is configured
 */
public record DefaultTag(Map<String, String> tags) {
  /** Words of a telnet line that has no tags: put, metric, timestamp and value. */
  private static final int WORDS = 4;

  /**
   * @throws IllegalArgumentException if the setting is not a tag
   */
  static DefaultTag of(String setting) {
    String text = setting.strip();
    try {
      Map<String, String> tags = LineParser.tags(text);
      if (tags.size() > 1) {
        throw new RequestException("more than one tag: " + text);
      }
      return new DefaultTag(Map.copyOf(tags));
    } catch (RequestException e) {
      throw new IllegalArgumentException(Settings.DEFAULT_TAG.key() + ": " + e.getMessage(), e);
    }
  }

  /** The tags of a point, if it has none. */
  public Map<String, @Nullable String> orThose(@Nullable Map<String, @Nullable String> given) {
    return given == null || given.isEmpty() ? new HashMap<>(tags) : given;
  }

  /** A telnet line with a point; it gets this tag if it has no tags. */
  public String completed(String line) {
    if (tags.isEmpty()) {
      return line;
    }
    String text = line.stripTrailing();
    if (text.chars().filter(c -> c == ' ').count() != WORDS - 1) {
      return line;
    }
    return tags.entrySet().stream()
        .map(tag -> text + " " + tag.getKey() + "=" + tag.getValue())
        .findFirst()
        .orElse(line);
  }
}
