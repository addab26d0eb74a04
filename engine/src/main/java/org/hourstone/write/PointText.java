package org.hourstone.write;

/**
 * A point parsed from a line of text; tags and value are still text.
 *
 * @param metric not empty
 * @param timestamp positive; seconds or milliseconds by its size
 * @param value not empty
 * @param tags the words after the value
 */
public record PointText(String metric, long timestamp, String value, String tags) {
  /** The part of the line that names the series. */
  String seriesText() {
    return metric + ' ' + tags;
  }
}
