package org.hourstone.series;

/** Buckets of one width, counted from the epoch. */
final class FixedBuckets extends Buckets {
  private final long width;

  FixedBuckets(long width) {
    this.width = width;
  }

  @Override
  void leaveFor(long millis) {
    long start = millis - Math.floorMod(millis, width);
    set(start, start + width);
  }
}
