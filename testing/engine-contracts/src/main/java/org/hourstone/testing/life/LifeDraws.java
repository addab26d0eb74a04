package org.hourstone.testing.life;

import java.util.List;
import java.util.random.RandomGenerator;
import org.hourstone.testing.life.LifeModel.Series;

/** Random series, timestamps and values of points. */
final class LifeDraws {
  private static final long HOUR = LifeModel.HOUR;
  private static final long DAY = 24 * HOUR;

  private final RandomGenerator random;
  private final LifeModel model;

  LifeDraws(RandomGenerator random, LifeModel model) {
    this.random = random;
    this.model = model;
  }

  Series series() {
    return new Series(
        random.nextInt(2) == 0 ? Life.INTEGERS : Life.DECIMALS, "h" + random.nextInt(Life.HOSTS));
  }

  /** In milliseconds, of the last days and mostly of the last hours; or that of a point. */
  long time(Series series, long now) {
    long back =
        switch (random.nextInt(10)) {
          case 0, 1 -> random.nextLong(DAY);
          case 2, 3 -> random.nextLong(6 * DAY);
          default -> random.nextLong(2 * HOUR);
        };
    long seconds = now - back;
    List<Long> known = List.copyOf(model.all(series).keySet());
    if (random.nextInt(6) == 0 && !known.isEmpty()) {
      return known.get(random.nextInt(known.size()));
    }
    boolean isRound = random.nextBoolean();
    return (isRound ? seconds - seconds % 300 : seconds) * 1000
        + (random.nextInt(4) == 0 ? random.nextInt(1000) : 0);
  }

  Number value(Series series) {
    if (series.metric().equals(Life.INTEGERS)) {
      return switch (random.nextInt(4)) {
        case 0 -> random.nextLong(1L << 40) - (1L << 39);
        case 1 -> random.nextLong(70_000) - 35_000;
        default -> (long) random.nextInt(200) - 100;
      };
    }
    return switch (random.nextInt(3)) {
      case 0 -> (Number) (long) random.nextInt(1000);
      case 1 -> random.nextInt(10_000) / 7.0;
      default -> random.nextInt(1000) / 8.0;
    };
  }
}
