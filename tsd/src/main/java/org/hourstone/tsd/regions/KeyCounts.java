package org.hourstone.tsd.regions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the rows of a region could be divided: at the first row of a metric, or of a base time of a
 * metric. Takes the keys in their order, and keeps a bounded number of boundaries. For one thread.
 */
final class KeyCounts {
  /** A smaller part than this of the rows is not worth a region of its own. */
  private static final double LEAST_PART = 0.25;

  private final KeyForm form;
  private final Boundaries metrics;
  private final Boundaries times;
  private long rows;
  private byte @Nullable [] last;

  /**
   * @param form without a salt, or of a region with one bucket
   * @param kept the number of boundaries of each kind that are kept, at least 2
   */
  KeyCounts(KeyForm form, int kept) {
    this.form = form;
    this.metrics = new Boundaries(kept);
    this.times = new Boundaries(kept);
  }

  /**
   * A place between two rows.
   *
   * @param key the beginning of the key of the first row after it, and greater than any before it
   * @param isMetric whether a metric begins there; otherwise a base time within one
   * @param before the number of rows before it
   * @param rows the number of all rows
   */
  record Boundary(byte[] key, boolean isMetric, long before, long rows) {
    private double smallerPart() {
      return (double) Math.min(before, rows - before) / rows;
    }
  }

  void add(byte[] key) {
    byte[] metric = KeyForm.start(key, form.metricEnd());
    byte[] time = KeyForm.start(key, form.timeEnd());
    if (last != null && !Arrays.equals(time, last)) {
      if (Arrays.equals(metric, KeyForm.start(last, form.metricEnd()))) {
        times.add(time, rows);
      } else {
        metrics.add(metric, rows);
      }
    }
    last = time;
    rows++;
  }

  long rows() {
    return rows;
  }

  /**
   * The best place: the first row of a metric if both parts are then large enough, since points of
   * the present go to the end of each metric; otherwise the one that halves best. Null if all rows
   * have the same metric and base time.
   */
  @Nullable Boundary best() {
    Boundary metric = metrics.nearestToHalf(true, rows);
    Boundary time = times.nearestToHalf(false, rows);
    if (metric == null || time == null) {
      return metric == null ? time : metric;
    }
    return metric.smallerPart() >= LEAST_PART || metric.smallerPart() >= time.smallerPart()
        ? metric
        : time;
  }

  /** Boundaries of one kind, about equally far apart if there are too many to keep. */
  private static final class Boundaries {
    private record Place(byte[] key, long before) {}

    private final int most;
    private final List<Place> places = new ArrayList<>();
    private long step = 1;

    Boundaries(int most) {
      this.most = most;
    }

    void add(byte[] key, long before) {
      if (isFar(before)) {
        places.add(new Place(key, before));
      }
      if (places.size() > most) {
        thin();
      }
    }

    private boolean isFar(long before) {
      return places.isEmpty() || before - places.get(places.size() - 1).before() >= step;
    }

    private void thin() {
      List<Place> all = List.copyOf(places);
      while (places.size() > most / 2) {
        step *= 2;
        places.clear();
        for (Place place : all) {
          if (isFar(place.before())) {
            places.add(place);
          }
        }
      }
    }

    @Nullable Boundary nearestToHalf(boolean isMetric, long rows) {
      Place nearest = null;
      for (Place place : places) {
        if (nearest == null || distance(place, rows) < distance(nearest, rows)) {
          nearest = place;
        }
      }
      return nearest == null ? null : new Boundary(nearest.key(), isMetric, nearest.before(), rows);
    }

    private static long distance(Place place, long rows) {
      return Math.abs(2 * place.before() - rows);
    }
  }
}
