package org.hourstone.bench;

import java.util.Locale;
import java.util.Random;

/** In which order the points of a workload are sent. */
enum PointOrder {
  /** Live: all series of one time, then of the next. */
  TIME {
    @Override
    int[] positions(int series, int steps, int stepsPerHour) {
      int[] positions = new int[series * steps];
      for (int i = 0; i < positions.length; i++) {
        positions[i] = i;
      }
      return positions;
    }
  },
  /** Back-fill: all times of one series, then of the next. */
  SERIES {
    @Override
    int[] positions(int series, int steps, int stepsPerHour) {
      int[] positions = new int[series * steps];
      for (int i = 0; i < positions.length; i++) {
        positions[i] = i % steps * series + i / steps;
      }
      return positions;
    }
  },
  /** All points of an hour at random, then of the next. */
  SHUFFLED {
    @Override
    int[] positions(int series, int steps, int stepsPerHour) {
      int[] positions = TIME.positions(series, steps, stepsPerHour);
      Random random = new Random(1);
      for (int first = 0; first < positions.length; first += series * stepsPerHour) {
        int end = Math.min(positions.length, first + series * stepsPerHour);
        for (int i = end - 1; i > first; i--) {
          int other = first + random.nextInt(i - first + 1);
          int position = positions[i];
          positions[i] = positions[other];
          positions[other] = position;
        }
      }
      return positions;
    }
  };

  static PointOrder of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** The positions of the points in the order of {@link #TIME}, in this order. */
  abstract int[] positions(int series, int steps, int stepsPerHour);
}
