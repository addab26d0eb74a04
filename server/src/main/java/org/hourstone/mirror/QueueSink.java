package org.hourstone.mirror;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Arrays;
import org.hourstone.mirror.MirrorCounts.Skipped;
import org.hourstone.write.PointMirror;
import org.jspecify.annotations.Nullable;

/** Gathers the points of one writing thread to records of the queue. For that thread. */
final class QueueSink implements PointMirror.Sink {
  private static final int FIRST_POINT = QueueRecord.HEAD + QueueRecord.FIXED;

  private final MirrorQueue queue;
  private final MirrorCounts counts;
  private final InstantSource clock;
  private final byte[] bytes = new byte[QueueRecord.MAX_BYTES];
  private final ByteBuffer record = ByteBuffer.wrap(bytes);
  private int points;

  /** The series of the last point in the record; null for the first. */
  private byte @Nullable [] last;

  QueueSink(MirrorQueue queue, MirrorCounts counts, InstantSource clock) {
    this.queue = queue;
    this.counts = counts;
    this.clock = clock;
    record.position(FIRST_POINT);
  }

  @Override
  public void add(byte[] tsuid, long timestamp, int flags, long raw) {
    if (tsuid.length > QueueRecord.MAX_TSUID) {
      counts.skipped(Skipped.TOO_LONG, 1);
      return;
    }
    if (record.remaining() < QueueRecord.POINT + tsuid.length) {
      commit();
    }
    if (Arrays.equals(tsuid, last)) {
      record.putShort((short) 0);
    } else {
      record.putShort((short) tsuid.length).put(tsuid);
      last = tsuid;
    }
    record.putLong(timestamp).put((byte) flags).putLong(raw);
    points++;
  }

  @Override
  public void addOtherCell() {
    queue.skipOtherCell();
  }

  @Override
  public void commit() {
    if (points > 0) {
      QueueRecord.complete(bytes, record.position(), clock.millis(), points);
      queue.append(bytes, record.position(), points);
      record.position(FIRST_POINT);
      points = 0;
      last = null;
    }
  }
}
