package org.hourstone.tsd.regions;

import org.hourstone.kv.Bytes;
import org.hourstone.kv.TableRegions;
import org.hourstone.kv.TableRegions.Region;
import org.hourstone.tsd.regions.KeyCounts.Boundary;
import org.jspecify.annotations.Nullable;

/**
 * A split of a region that could be made.
 *
 * @param key the first row of the second half
 * @param salt the bucket that begins there; -1 if the region has only one
 * @param boundary what begins there; null if it is a bucket
 */
record SplitProposal(
    String table, Region region, byte[] key, int salt, @Nullable Boundary boundary) {
  private static final int BOUNDARIES = 8192;

  /**
   * The best split of a region; null if nothing could be separated. The keys of the region's rows
   * are read, unless it has several salt buckets, which are equally large.
   *
   * @param onlySalt whether only splits between salt buckets are proposed
   */
  static @Nullable SplitProposal of(
      String table, Region region, KeyForm form, boolean onlySalt, TableRegions regions) {
    int first = form.firstBucket(region);
    int buckets = form.lastBucket(region) - first + 1;
    if (buckets > 1) {
      int second = first + buckets / 2;
      return new SplitProposal(table, region, form.bucketStart(second), second, null);
    }
    if (onlySalt) {
      return null;
    }
    KeyCounts counts = new KeyCounts(form, BOUNDARIES);
    regions.forEachKey(table, region.start(), region.stop(), counts::add);
    Boundary best = counts.best();
    return best == null ? null : new SplitProposal(table, region, best.key(), -1, best);
  }

  String keyText() {
    return new Bytes(key).toString();
  }
}
