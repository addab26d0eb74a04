package org.hourstone.rewrite;

import java.util.List;

/** Which of several points that share a timestamp is kept. */
public enum Keep {
  OLDEST,
  NEWEST,
  LARGEST,
  SMALLEST;

  /**
   * The index of the point that is kept.
   *
   * @param points in the order of their cells' qualifiers, which is the last criterion, as for
   *     readers
   */
  public int winner(List<StoredPoint> points) {
    int winner = 0;
    for (int i = 1; i < points.size(); i++) {
      if (prefers(points.get(i), points.get(winner))) {
        winner = i;
      }
    }
    return winner;
  }

  private boolean prefers(StoredPoint point, StoredPoint winner) {
    boolean newer = point.writeTime() > winner.writeTime();
    int bySize = Double.compare(point.number(), winner.number());
    return switch (this) {
      case OLDEST -> point.writeTime() < winner.writeTime();
      case NEWEST -> newer;
      case LARGEST -> bySize > 0 || (bySize == 0 && newer);
      case SMALLEST -> bySize < 0 || (bySize == 0 && newer);
    };
  }
}
