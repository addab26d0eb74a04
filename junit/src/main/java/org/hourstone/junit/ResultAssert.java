package org.hourstone.junit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.List;
import java.util.Map;
import org.hourstone.query.ResultSeries;
import org.opentest4j.AssertionFailedError;

/** Compares the series of a result. All methods throw {@link AssertionError} on a difference. */
public final class ResultAssert {
  /** Of series that a message lists. */
  private static final int MOST_LISTED = 30;

  private final String query;
  private final List<ResultSeries> found;

  ResultAssert(String query, List<ResultSeries> found) {
    this.query = query;
    this.found = found;
  }

  /** The result has no series. */
  public void isEmpty() {
    hasSeriesCount(0);
  }

  /** The result has this number of series. */
  @CanIgnoreReturnValue
  public ResultAssert hasSeriesCount(int number) {
    if (found.size() != number) {
      throw new AssertionFailedError(
          query + ": expected " + number + " series, and there are " + found.size() + list(),
          number,
          found.size());
    }
    return this;
  }

  /**
   * The result has a series with exactly these tags. Tags whose values differ within the series'
   * group are not among them.
   */
  @CanIgnoreReturnValue
  public PointsAssert hasSeries(Map<String, String> tags) {
    List<ResultSeries> same = found.stream().filter(each -> each.tags().equals(tags)).toList();
    if (same.isEmpty()) {
      throw new AssertionFailedError(
          query + ": no series " + text(tags) + "; there are " + found.size() + list());
    }
    if (same.size() > 1) {
      throw new AssertionFailedError(
          query + ": " + same.size() + " series " + text(tags) + "; expected one of them" + list());
    }
    return new PointsAssert(query + " " + text(tags), this, same.get(0));
  }

  /** The result has one series, whatever its tags. */
  @CanIgnoreReturnValue
  public PointsAssert hasOneSeries() {
    hasSeriesCount(1);
    ResultSeries only = found.get(0);
    return new PointsAssert(query + " " + text(only.tags()), this, only);
  }

  private static String text(Map<String, String> tags) {
    return tags.toString().replace(", ", ",");
  }

  private String list() {
    StringBuilder list = new StringBuilder(found.isEmpty() ? "" : ":");
    found.stream()
        .limit(MOST_LISTED)
        .forEach(
            each ->
                list.append("\n  ")
                    .append(each.metric())
                    .append(' ')
                    .append(text(each.tags()))
                    .append(", ")
                    .append(each.size())
                    .append(each.size() == 1 ? " point" : " points"));
    if (found.size() > MOST_LISTED) {
      list.append("\n  and ").append(found.size() - MOST_LISTED).append(" more");
    }
    return list.toString();
  }
}
