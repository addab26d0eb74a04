package org.hourstone.rewrite;

import java.util.List;

/** Chooses which of several points that share a timestamp is kept. */
public final class Winner {
  private Winner() {}

  /**
   * The index of the one that stays.
   *
   * @param points in the order of their cells' qualifiers, which decides where nothing else does,
   *     as it does for readers
   */
  public static int of(List<StoredPoint> points, Keep keep) {
    int winner = 0;
    for (int i = 1; i < points.size(); i++) {
      if (beats(points.get(i), points.get(winner), keep)) {
        winner = i;
      }
    }
    return winner;
  }

  private static boolean beats(StoredPoint point, StoredPoint winner, Keep keep) {
    boolean newer = point.writeTime() > winner.writeTime();
    int bySize = Double.compare(point.number(), winner.number());
    return switch (keep) {
      case OLDEST -> point.writeTime() < winner.writeTime();
      case NEWEST -> newer;
      case LARGEST -> bySize > 0 || (bySize == 0 && newer);
      case SMALLEST -> bySize < 0 || (bySize == 0 && newer);
    };
  }
}
