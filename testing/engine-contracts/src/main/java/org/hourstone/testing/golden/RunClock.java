package org.hourstone.testing.golden;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Tells times of a run's own clock, which differ from run to run, from the times a recording gives:
 * the recorded points are of 2017 or of no real time, and nothing was run before 2023.
 */
final class RunClock {
  private static final long EARLIEST_RUN_SECONDS = 1_700_000_000;
  private static final long LATEST_RUN_SECONDS = 4_000_000_000L;
  private static final Pattern CREATED = Pattern.compile("\"created\":(\\d{10})(?!\\d)");

  private RunClock() {}

  static boolean isSeconds(long time) {
    return time >= EARLIEST_RUN_SECONDS && time < LATEST_RUN_SECONDS;
  }

  static boolean isMillis(long time) {
    return isSeconds(time / 1000);
  }

  static String maskMillis(long time) {
    return isMillis(time) ? "now" : Long.toString(time);
  }

  /** The text of JSON with its {@code created} masked, if it is the run's clock. */
  static String maskCreated(String json) {
    return CREATED
        .matcher(json)
        .replaceAll(
            (MatchResult match) ->
                isSeconds(Long.parseLong(match.group(1))) ? "\"created\":\"now\"" : match.group());
  }
}
