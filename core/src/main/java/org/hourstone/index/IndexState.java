package org.hourstone.index;

import java.nio.ByteBuffer;
import org.hourstone.codec.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What the index table says of itself. In the store: the status, the format's version, the widths
 * of UIDs, the generation and the run, big-endian.
 *
 * @param status whether answers may be taken from it
 * @param metricWidth bytes of a metric UID; the index of a table with others is none of this one
 * @param tagkWidth bytes of a tagk UID
 * @param tagvWidth bytes of a tagv UID
 * @param generation random; another one says that the table was made anew
 * @param run of the rebuilding that goes on, random; else 0
 */
record IndexState(
    Status status, int metricWidth, int tagkWidth, int tagvWidth, long generation, long run) {
  private static final int VERSION = 1;

  private static final int SIZE = 5 + 2 * Long.BYTES;

  enum Status {
    /** Series may be missing. */
    INCOMPLETE(0),
    /** Series may be missing, and a run is adding them. */
    REBUILDING(1),
    /** No series is missing. */
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

  static IndexState of(Status status, Schema schema, long generation) {
    return new IndexState(
        status, schema.metricWidth(), schema.tagkWidth(), schema.tagvWidth(), generation, 0);
  }

  /** What is stored; null if that is nothing this version knows. */
  static @Nullable IndexState read(byte[] value) {
    Status status = value.length == SIZE ? Status.of(value[0]) : null;
    if (status == null || value[1] != VERSION) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(value, 2, SIZE - 2);
    return new IndexState(status, in.get(), in.get(), in.get(), in.getLong(), in.getLong());
  }

  byte[] toStored() {
    return ByteBuffer.allocate(SIZE)
        .put(status.code)
        .put((byte) VERSION)
        .put((byte) metricWidth)
        .put((byte) tagkWidth)
        .put((byte) tagvWidth)
        .putLong(generation)
        .putLong(run)
        .array();
  }

  /** Whether the table is one for UIDs of these widths. */
  boolean fits(Schema schema) {
    return metricWidth == schema.metricWidth()
        && tagkWidth == schema.tagkWidth()
        && tagvWidth == schema.tagvWidth();
  }

  boolean isComplete() {
    return status == Status.COMPLETE;
  }

  IndexState rebuilding(long by) {
    return with(Status.REBUILDING, by);
  }

  IndexState incomplete() {
    return with(Status.INCOMPLETE, 0);
  }

  IndexState complete() {
    return with(Status.COMPLETE, 0);
  }

  private IndexState with(Status other, long by) {
    return new IndexState(other, metricWidth, tagkWidth, tagvWidth, generation, by);
  }
}
