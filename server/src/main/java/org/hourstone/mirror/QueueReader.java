package org.hourstone.mirror;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/**
 * Reads the points of a queue in their order. What is corrupt or missing is skipped: the log names
 * its file, and it is counted. What can't be read now, as when there are too many open files, is
 * not: it is an error, and read again. For one thread.
 */
final class QueueReader implements AutoCloseable {
  private final MirrorQueue queue;
  private final byte[] bytes = new byte[QueueRecord.MAX_BYTES];

  private long number;

  /** Of the record that is being read, or of the next. */
  private long offset;

  /** How many points of the record were read, or are skipped. */
  private int index;

  private @Nullable QueueSegment segment;
  private @Nullable RandomAccessFile file;
  private boolean hasReported;

  private @Nullable QueueRecord record;
  private long recordEnd;
  private @Nullable QueuedPoint last;

  /** Begins with what is not settled. */
  QueueReader(MirrorQueue queue) {
    this.queue = queue;
    QueuePosition from = queue.position();
    number = from.segment();
    offset = from.offset();
    index = from.index();
  }

  /**
   * The next point; null if all were read.
   *
   * @throws UncheckedIOException if a file can't be read; the next call tries again
   */
  @Nullable QueuedPoint next() {
    while (true) {
      QueueRecord open = record;
      if (open == null) {
        if (!openRecord()) {
          return null;
        }
        continue;
      }
      if (index < open.points()) {
        try {
          last = open.next(last);
          index++;
          return last;
        } catch (BufferUnderflowException e) {
          corrupt("has a record that can't be read at byte " + offset);
        }
      }
      endRecord();
    }
  }

  /** After the last point that was read. */
  QueuePosition position() {
    QueueRecord open = record;
    return open != null && index >= open.points()
        ? new QueuePosition(number, recordEnd, 0)
        : new QueuePosition(number, offset, index);
  }

  /** When the last point that was read was written, in milliseconds; 0 if none was. */
  long millis() {
    QueueRecord open = record;
    return open == null ? 0 : open.millis();
  }

  private void endRecord() {
    offset = recordEnd;
    index = 0;
    record = null;
    last = null;
  }

  private void endSegment() {
    queue.leave(number);
    close();
    number++;
    offset = 0;
    index = 0;
    hasReported = false;
  }

  /** Opens the next record, or skips what is no record; false if there is no more now. */
  private boolean openRecord() {
    QueueSegment from = segment == null ? openSegment() : segment;
    RandomAccessFile open = file;
    if (from == null) {
      return false;
    }
    boolean isWritten = queue.isWritten(from); // before the length, which is the last one if not
    long left = queue.length(from) - offset;
    if (left <= 0 && isWritten) {
      return false;
    }
    if (left <= 0 || open == null) {
      endSegment();
      return true;
    }
    try {
      read(open, left);
    } catch (EOFException e) {
      corrupt("is shorter than it was, so the rest of it is skipped from byte " + offset + " on");
      endSegment();
    } catch (IOException e) {
      close(); // and opens it again
      throw new UncheckedIOException(from.path() + " can't be read: " + e.getMessage(), e);
    }
    return true;
  }

  private void read(RandomAccessFile from, long left) throws IOException {
    if (left < QueueRecord.HEAD) {
      torn(left);
      return;
    }
    from.seek(offset);
    from.readFully(bytes, 0, QueueRecord.HEAD);
    int length = ByteBuffer.wrap(bytes).getInt();
    int size = QueueRecord.HEAD + length;
    if (!QueueRecord.isLength(length)) {
      corrupt("is corrupt at byte " + offset + ", so the rest of it is skipped");
      endSegment();
    } else if (size > left) {
      torn(left);
    } else {
      from.readFully(bytes, QueueRecord.HEAD, length);
      if (QueueRecord.isIntact(bytes, size)) {
        open(QueueRecord.of(bytes, size), size);
      } else {
        corrupt("is corrupt at byte " + offset);
        offset += size;
        index = 0;
      }
    }
  }

  private void open(QueueRecord read, int size) {
    record = read;
    recordEnd = offset + size;
    int settled = index;
    for (index = 0; index < settled && index < read.points(); index++) {
      last = read.next(last);
    }
  }

  private @Nullable QueueSegment openSegment() {
    QueueSegment found = queue.from(number);
    if (found == null) {
      return null;
    }
    if (found.number() > number) {
      number = found.number();
      offset = 0;
      index = 0;
    }
    try {
      file = new RandomAccessFile(found.path().toFile(), "r");
    } catch (IOException e) {
      if (!Files.notExists(found.path())) {
        throw new UncheckedIOException(found.path() + " can't be opened: " + e.getMessage(), e);
      }
      segment = found;
      corrupt("is missing");
      endSegment();
      return openSegment();
    }
    segment = found;
    return found;
  }

  /** A process that is killed while it writes leaves this. */
  private void torn(long left) {
    report(
        "ends within a record, as if the process was killed: its last "
            + left
            + " bytes are skipped; points in them were not acknowledged, or counted as not"
            + " mirrored");
    endSegment();
  }

  private void corrupt(String how) {
    queue.counts().corrupt();
    if (!hasReported) {
      hasReported = true;
      report(how + "; points in it are not mirrored");
    }
  }

  private void report(String what) {
    QueueSegment of = segment;
    MirrorQueue.LOG.log(
        Level.WARNING, "mirror: " + (of == null ? "the queue" : of.path()) + " " + what);
  }

  @Override
  public void close() {
    RandomAccessFile open = file;
    segment = null;
    file = null;
    record = null;
    last = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        MirrorQueue.LOG.log(Level.DEBUG, "a file that was only read", e);
      }
    }
  }
}
