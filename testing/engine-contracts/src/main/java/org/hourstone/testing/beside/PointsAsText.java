package org.hourstone.testing.beside;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/** Lines of points: metric, time, value and tags. */
final class PointsAsText {
  private PointsAsText() {}

  /**
   * Whether some lines are others without those before and after the times of their series, where a
   * range may begin and end within a second.
   */
  static boolean isPart(String some, String others) {
    Deque<String> left = new ArrayDeque<>(some.lines().toList());
    Map<String, LongSummaryStatistics> ranges = new HashMap<>();
    some.lines()
        .forEach(
            line ->
                ranges
                    .computeIfAbsent(series(line), s -> new LongSummaryStatistics())
                    .accept(time(line)));
    List<String> more = others.lines().filter(line -> !isNext(line, left)).toList();
    return left.isEmpty() && more.stream().noneMatch(line -> isWithin(line, ranges));
  }

  private static boolean isNext(String line, Deque<String> left) {
    if (line.equals(left.peek())) {
      left.remove();
      return true;
    }
    return false;
  }

  private static boolean isWithin(String line, Map<String, LongSummaryStatistics> ranges) {
    LongSummaryStatistics range = ranges.get(series(line));
    return range != null && time(line) > range.getMin() && time(line) < range.getMax();
  }

  private static String series(String line) {
    String[] words = line.split(" ", 4);
    return words[0] + " " + (words.length > 3 ? words[3] : "");
  }

  private static long time(String line) {
    return Long.parseLong(line.split(" ", 3)[1]);
  }
}
