package org.hourstone.codec.coded;

import java.util.Arrays;
import java.util.Random;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;

/** Kinds of cells: what a series measures, and how its times and bytes came about. */
enum CodedSeries {
  /** A load in percent: a random walk of whole numbers. */
  LOAD {
    @Override
    void values(Random random, Times times, RowPoints points) {
      double load = random.nextInt(100);
      for (int i = 0; i < times.count(); i++) {
        load = Math.min(100, Math.max(0, load + random.nextGaussian()));
        times.add(points, i, Math.round(load));
      }
    }
  },
  /** The same with decimal places, in floats where these are exact. */
  DECIMALS {
    @Override
    void values(Random random, Times times, RowPoints points) {
      double power = Math.pow(10, random.nextInt(12));
      double load = random.nextInt(100);
      for (int i = 0; i < times.count(); i++) {
        load = Math.min(100, Math.max(-20, load + random.nextGaussian()));
        times.addNarrow(points, i, Math.rint(load * power) / power);
      }
    }
  },
  /** Decimal numbers to which arithmetic has done some harm, in doubles or as narrow as exact. */
  AVERAGES {
    @Override
    void values(Random random, Times times, RowPoints points) {
      boolean narrow = random.nextBoolean();
      double load = random.nextInt(100);
      for (int i = 0; i < times.count(); i++) {
        load = Math.max(-20, load + random.nextGaussian());
        double number = Math.rint(load * 1000) / 1000;
        for (int units = random.nextInt(4) * random.nextInt(8); units > 0; units--) {
          number = Math.nextUp(number);
        }
        if (narrow) {
          times.addNarrow(points, i, number);
        } else {
          times.add(points, i, Value.DOUBLE_FLAGS, Value.rawOf(number));
        }
      }
    }
  },
  /** Floats, as a library writes them that has nothing else. */
  FLOATS {
    @Override
    void values(Random random, Times times, RowPoints points) {
      float power = (float) Math.pow(10, random.nextInt(6));
      for (int i = 0; i < times.count(); i++) {
        float number = random.nextInt(100_000) / power;
        times.add(points, i, Value.FLOAT_FLAGS, Value.rawOf(number));
      }
    }
  },
  /** Whole and decimal numbers in their shortest forms. */
  NUMBERS {
    @Override
    void values(Random random, Times times, RowPoints points) {
      long number = random.nextInt(2_000);
      for (int i = 0; i < times.count(); i++) {
        number += random.nextInt(20) - 10;
        if (number % 10 == 0) {
          times.add(points, i, number / 10);
        } else {
          times.addNarrow(points, i, number / 10.0);
        }
      }
    }
  },
  /** Grows, and starts again at zero now and again. */
  COUNTER {
    @Override
    void values(Random random, Times times, RowPoints points) {
      int rate = 1 + random.nextInt(1 << random.nextInt(24));
      long total = random.nextLong() >>> random.nextInt(63);
      for (int i = 0; i < times.count(); i++) {
        total = random.nextInt(100) == 0 ? 0 : total + rate + random.nextInt(rate);
        times.add(points, i, total);
      }
    }
  },
  /** The same value for long, then another one. */
  GAPS {
    @Override
    void values(Random random, Times times, RowPoints points) {
      int magnitude = 1 << random.nextInt(30);
      int rarity = 1 + random.nextInt(400);
      long number = 0;
      for (int i = 0; i < times.count(); i++) {
        number += random.nextInt(rarity) == 0 ? random.nextInt(magnitude) - magnitude / 2 : 0;
        times.add(points, i, number);
      }
    }
  },
  /** Integers and floats of any bits and any legal width, NaN and -0.0 among them. */
  NOISE {
    @Override
    void values(Random random, Times times, RowPoints points) {
      int[] legal = {0, 1, 3, 7, Value.FLOAT_FLAGS, Value.DOUBLE_FLAGS};
      int kinds = 1 + random.nextInt(legal.length);
      int first = random.nextInt(legal.length);
      double[] special = {-0.0, 0.0, Double.NaN, Double.MIN_VALUE, 1e300, Double.NEGATIVE_INFINITY};
      for (int i = 0; i < times.count(); i++) {
        int flags = legal[(first + random.nextInt(kinds)) % legal.length];
        long raw = random.nextLong();
        if (flags == Value.DOUBLE_FLAGS && random.nextInt(3) == 0) {
          raw = Value.rawOf(special[random.nextInt(special.length)]);
        }
        times.add(points, i, flags, raw);
      }
    }
  };

  abstract void values(Random random, Times times, RowPoints points);

  /** A cell of at least two points. */
  CompactedCell soundCell(Random random) {
    RowPoints points = new RowPoints();
    values(random, Times.of(random), points);
    return CompactedCell.of(points, 0, points.size());
  }

  /** As {@link #soundCell}, but some are not as they should be. */
  CompactedCell cell(Random random) {
    CompactedCell cell = soundCell(random);
    return switch (random.nextInt(12)) {
      case 0 -> cell.withoutMetadataByte();
      case 1 -> new CompactedCell(cell.qualifier(), changed(cell.value(), random));
      case 2 -> new CompactedCell(changed(cell.qualifier(), random), cell.value());
      case 3 ->
          new CompactedCell(
              cell.qualifier(), Arrays.copyOf(cell.value(), random.nextInt(cell.value().length)));
      default -> cell;
    };
  }

  private static byte[] changed(byte[] bytes, Random random) {
    byte[] changed = bytes.clone();
    int at = random.nextBoolean() ? bytes.length - 1 : random.nextInt(bytes.length);
    changed[at] = (byte) (random.nextBoolean() ? random.nextInt(3) : random.nextInt());
    return changed;
  }

  /**
   * When points were measured.
   *
   * @param offsets from the start of the hour
   * @param millis which of them are in milliseconds
   */
  record Times(int[] offsets, boolean[] millis) {
    static Times of(Random random) {
      boolean isMillis = random.nextInt(3) == 0;
      int hour = isMillis ? 3_600_000 : 3_600;
      int count = 2 + random.nextInt(random.nextBoolean() ? 10 : 360);
      int step = hour / count;
      boolean isWholeHour = random.nextBoolean();
      count = isWholeHour ? hour / step : count;
      int noise = random.nextInt(4) == 0 ? 1 + random.nextInt(step) : 1;
      boolean isMixed = random.nextInt(10) == 0;
      int[] offsets = new int[count];
      boolean[] millis = new boolean[count];
      int first = random.nextInt(step);
      int rarity = 2 + random.nextInt(1_000);
      for (int i = 0; i < count; i++) {
        int offset = (first + i * step + random.nextInt(noise)) % hour;
        if (random.nextInt(rarity) == 0 && !isWholeHour) {
          offset = random.nextInt(hour);
        }
        millis[i] = isMillis != (isMixed && random.nextInt(4) == 0);
        offsets[i] = millis[i] == isMillis ? offset : isMillis ? offset / 1000 : offset * 1000;
      }
      return new Times(offsets, millis);
    }

    int count() {
      return offsets.length;
    }

    void add(RowPoints points, int i, int flags, long raw) {
      points.add(millis[i] ? offsets[i] : offsets[i] * 1000, millis[i], flags, raw);
    }

    void add(RowPoints points, int i, long integer) {
      add(points, i, Value.flagsOf(integer), integer);
    }

    void addNarrow(RowPoints points, int i, double number) {
      boolean isFloat = (float) number == number;
      add(
          points,
          i,
          isFloat ? Qualifier.FLOAT | 3 : Value.DOUBLE_FLAGS,
          isFloat ? Value.rawOf((float) number) : Value.rawOf(number));
    }
  }
}
