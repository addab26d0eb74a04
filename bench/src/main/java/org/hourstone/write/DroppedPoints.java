package org.hourstone.write;

import org.jspecify.annotations.Nullable;

/**
 * Lets benchmarks gather points from bytes as {@link TextPoints} does, without writing them: see
 * {@link LineResolution}. Not thread-safe.
 */
public final class DroppedPoints {
  private final TextPoints points;

  private DroppedPoints(TextPoints points) {
    this.points = points;
  }

  public static DroppedPoints ofTelnet(PointWriter writer) {
    return new DroppedPoints(writer.telnetPoints());
  }

  public static DroppedPoints ofImport(PointWriter writer) {
    return new DroppedPoints(writer.importPoints((series, timestamp) -> true));
  }

  public static DroppedPoints ofJson(PointWriter writer) {
    return new DroppedPoints(writer.jsonPoints());
  }

  /** The points are added to it. */
  public TextPoints batch() {
    return points;
  }

  /** Adds the point of an import line; false if it was left. */
  public boolean addImportLine(byte[] line) {
    return points.addImportLine(line, 0, line.length, 0);
  }

  /** Drops the points. */
  public void drop() {
    for (@Nullable PointColumns share : points.shares()) {
      if (share != null) {
        share.clear();
      }
    }
  }
}
