package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.StoreUri;

/** UriDurations in a store's URI: a whole number and ms, s, m, h or d. */
final class UriDurations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private UriDurations() {}

  /**
   * The parameter's value.
   *
   * @throws IllegalArgumentException if the parameter is not a duration
   */
  static Duration of(StoreUri uri, String key, Duration byDefault) {
    String text = uri.parameter(key);
    if (text == null) {
      return byDefault;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "store parameter " + key + "=" + text + ": must be a duration such as 30s or 90d");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
