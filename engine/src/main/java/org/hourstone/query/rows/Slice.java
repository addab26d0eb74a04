package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Scan;
import org.hourstone.query.Corruption;
import org.hourstone.series.MemoryLease;

/**
 * A part of a query's rows: those of some hours and salt buckets, or of some series in one hour.
 *
 * @param hours which hours
 * @param firstSalt the first bucket
 * @param stopSalt the bucket after the last
 * @param fromTags the first series' tags, as in row keys; empty for the first of all
 * @param stopTags the tags of the series after the last; empty for none
 */
public record Slice(
    ScanRange hours, int firstSalt, int stopSalt, byte[] fromTags, byte[] stopTags) {
  private static final byte[] NONE = {};

  /** All series of some hours. */
  public static Slice of(ScanRange hours, int firstSalt, int stopSalt) {
    return new Slice(hours, firstSalt, stopSalt, NONE, NONE);
  }

  /**
   * The slice in parts that can be read independently.
   *
   * @param cuts the tags of series at which to cut, ascending
   */
  public List<Slice> cut(List<byte[]> cuts) {
    List<Slice> parts = new ArrayList<>(cuts.size() + 1);
    byte[] from = NONE;
    for (byte[] cut : cuts) {
      parts.add(new Slice(hours, firstSalt, stopSalt, from, cut));
      from = cut;
    }
    parts.add(new Slice(hours, firstSalt, stopSalt, from, NONE));
    return parts;
  }

  /** The part of a scan of the hours that is in the slice. */
  public Scan within(Scan ofHours) {
    byte[] start = joined(ofHours.start(), fromTags);
    Scan scan =
        stopTags.length == 0
            ? ofHours.from(start)
            : Scan.range(start, joined(ofHours.start(), stopTags));
    return scan.columns(ofHours.columns())
        .filter(ofHours.filter())
        .rowsPerFetch(ofHours.rowsPerFetch());
  }

  private static byte[] joined(byte[] key, byte[] tags) {
    byte[] joined = Arrays.copyOf(key, key.length + tags.length);
    System.arraycopy(tags, 0, joined, key.length, tags.length);
    return joined;
  }

  /**
   * The data read from a slice.
   *
   * @param series of each query, by the key by which they are distinguished and sorted
   * @param stopSeconds the hour, exclusive, up to which the slice was read; the rest is still to be
   *     read
   * @param rows how many rows were read
   * @param millis how long that took
   * @param corruption the rows and cells skipped
   * @param memory that of the series of each query
   */
  public record Content(
      List<Map<Bytes, SeriesChunk>> series,
      long stopSeconds,
      long rows,
      long millis,
      Corruption corruption,
      List<MemoryLease> memory)
      implements AutoCloseable {
    @Override
    public void close() {
      memory.forEach(MemoryLease::close);
    }
  }
}
