package org.hourstone.tsd.regions;

import java.util.Arrays;
import org.hourstone.codec.Schema;
import org.hourstone.kv.TableRegions.Region;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a table's row keys are.
 *
 * @param saltWidth bytes of the salt; 0 for none
 * @param buckets the number of salt buckets; 1 without a salt
 * @param metricEnd where the metric's UID ends; it begins after the salt
 * @param timeEnd where the base time ends; the same as the metric's end if there is none
 */
record KeyForm(int saltWidth, int buckets, int metricEnd, int timeEnd) {
  /** That of points and rolled-up values. */
  static KeyForm ofPoints(Schema schema) {
    return new KeyForm(
        schema.saltWidth(), schema.distinctSalts(), schema.baseTimeOffset(), schema.tagsOffset());
  }

  /** That of series' metadata: a TSUID. */
  static KeyForm ofSeries(Schema schema) {
    return new KeyForm(0, 1, schema.metricWidth(), schema.metricWidth());
  }

  /** The first bucket that has rows in a region. */
  int firstBucket(Region region) {
    return Math.min(buckets - 1, number(region.start()));
  }

  /** The last bucket that has rows in a region; not before the first. */
  int lastBucket(Region region) {
    byte[] stop = region.stop();
    if (stop == null) {
      return buckets - 1;
    }
    boolean isBoundary = isZeroAfterSalt(stop);
    int last = Math.min(buckets - 1, number(stop) - (isBoundary ? 1 : 0));
    return Math.max(firstBucket(region), last);
  }

  private boolean isZeroAfterSalt(byte[] key) {
    for (int i = saltWidth; i < key.length; i++) {
      if (key[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private int number(byte[] key) {
    long number = 0;
    for (int i = 0; i < saltWidth; i++) {
      number = number << Byte.SIZE | (i < key.length ? key[i] & 0xff : 0);
    }
    return number < 0 || number > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) number;
  }

  /** The key before all rows of a bucket. */
  byte[] bucketStart(int bucket) {
    byte[] key = new byte[saltWidth];
    for (int i = saltWidth - 1, left = bucket; i >= 0; i--, left >>>= Byte.SIZE) {
      key[i] = (byte) left;
    }
    return key;
  }

  /** The beginning of a key up to the metric or, if it is to the end, the base time. */
  static byte[] start(byte[] key, int end) {
    return Arrays.copyOf(key, Math.min(end, key.length));
  }

  /** The metric's UID in a key; null if the key ends before. */
  byte @Nullable [] metric(byte[] key) {
    return key.length < metricEnd ? null : Arrays.copyOfRange(key, saltWidth, metricEnd);
  }
}
