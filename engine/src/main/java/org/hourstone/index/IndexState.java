package org.hourstone.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * The state of the index, as stored in its table: the status, the format's version, the widths of
 * UIDs, the generation, the run and the number of buckets, big-endian, and the names of families,
 * one per line. Version 1 is also read: it has no number of buckets, and its writers did not store
 * the series they announced.
 *
 * @param status whether the index may be used
 * @param metricWidth bytes of a metric UID; an index with other widths is not usable
 * @param tagkWidth bytes of a tagk UID
 * @param tagvWidth bytes of a tagv UID
 * @param generation random; a different one means that the table was created again or has become
 *     complete
 * @param run the random number of the current rebuild; 0 if there is none
 * @param buckets the number of salt buckets with which all rows were written; 0 if rows may be in
 *     other buckets. Without a salt it is 1
 * @param covered the names of the data families for which the index is complete
 */
record IndexState(
    Status status,
    int metricWidth,
    int tagkWidth,
    int tagvWidth,
    long generation,
    long run,
    int buckets,
    SortedSet<String> covered) {
  private static final int VERSION = 2;

  private static final int SIZE_OF_FIRST = 5 + 2 * Long.BYTES;
  private static final int SIZE = SIZE_OF_FIRST + Integer.BYTES;

  /** Separates the names of families, which don't contain it. */
  private static final String SEPARATOR = "\n";

  enum Status {
    /** Series may be missing. */
    INCOMPLETE(0),
    /** Series may be missing, and a run is adding them. */
    REBUILDING(1),
    /** No series of the covered families is missing. */
    COMPLETE(2);

    private final byte code;

    Status(int code) {
      this.code = (byte) code;
    }

    static @Nullable Status of(byte code) {
      for (Status status : values()) {
        if (status.code == code) {
          return status;
        }
      }
      return null;
    }
  }

  /** The state of a new table: incomplete. */
  static IndexState of(Schema schema, long generation) {
    return new IndexState(
        Status.INCOMPLETE,
        schema.metricWidth(),
        schema.tagkWidth(),
        schema.tagvWidth(),
        generation,
        0,
        0,
        new TreeSet<>());
  }

  /** Decodes a stored state; null if this version can't read it. */
  static @Nullable IndexState read(byte[] value) {
    boolean first = value.length >= SIZE_OF_FIRST && value[1] == 1;
    int size = first ? SIZE_OF_FIRST : SIZE;
    Status status = value.length >= size ? Status.of(value[0]) : null;
    if (status == null || (!first && value[1] != VERSION)) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(value, 2, size - 2);
    String names = new String(value, size, value.length - size, UTF_8);
    return new IndexState(
        status,
        in.get(),
        in.get(),
        in.get(),
        in.getLong(),
        in.getLong(),
        first ? 0 : in.getInt(),
        names.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(names.split(SEPARATOR, -1))));
  }

  /** Whether these stored bytes are this state, encoded in this version. */
  boolean isStoredAs(byte @Nullable [] stored) {
    return Arrays.equals(toStored(), stored);
  }

  byte[] toStored() {
    byte[] names = String.join(SEPARATOR, covered).getBytes(UTF_8);
    return ByteBuffer.allocate(SIZE + names.length)
        .put(status.code)
        .put((byte) VERSION)
        .put((byte) metricWidth)
        .put((byte) tagkWidth)
        .put((byte) tagvWidth)
        .putLong(generation)
        .putLong(run)
        .putInt(buckets)
        .put(names)
        .array();
  }

  /** Whether the table is for UIDs of these widths. */
  boolean fits(Schema schema) {
    return metricWidth == schema.metricWidth()
        && tagkWidth == schema.tagkWidth()
        && tagvWidth == schema.tagvWidth();
  }

  /** Whether the index is complete for these families. */
  boolean isComplete(Collection<Family> families) {
    return status == Status.COMPLETE
        && families.stream().allMatch(family -> covered.contains(family.toString()));
  }

  /** Whether the index is, or was, complete also for other families. */
  boolean coversMoreThan(Collection<Family> families) {
    return !names(families).containsAll(covered);
  }

  /** A copy with another generation, which invalidates copies of metrics that were read before. */
  IndexState ofGeneration(long number) {
    return new IndexState(status, metricWidth, tagkWidth, tagvWidth, number, run, buckets, covered);
  }

  /** A copy for a run that has begun. Families that are complete stay complete. */
  IndexState rebuilding(long by) {
    return with(status == Status.COMPLETE ? status : Status.REBUILDING, by, buckets, covered);
  }

  /** A copy that is incomplete; it voids a rebuild in progress. */
  IndexState incomplete() {
    return with(Status.INCOMPLETE, 0, 0, new TreeSet<>());
  }

  /** A copy that is also complete for these families. */
  IndexState complete(Collection<Family> families) {
    SortedSet<String> all = new TreeSet<>(covered);
    all.addAll(names(families));
    return with(Status.COMPLETE, run, buckets, all);
  }

  /** A copy for a run that has ended. */
  IndexState withoutRun() {
    return with(status, 0, buckets, covered);
  }

  /** A copy with the number of buckets with which all rows were written; 0 if it is not known. */
  IndexState withBuckets(int number) {
    return with(status, run, number, covered);
  }

  private static Set<String> names(Collection<Family> families) {
    return families.stream().map(Family::toString).collect(Collectors.toSet());
  }

  private IndexState with(Status other, long by, int number, SortedSet<String> families) {
    return new IndexState(
        other, metricWidth, tagkWidth, tagvWidth, generation, by, number, families);
  }
}
