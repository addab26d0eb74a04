package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a write-ahead log of RocksDB contains, as far as its records can be read. A record is a
 * batch of changes, which begins with the sequence number of its first change and their number. The
 * changes of all logs are numbered consecutively.
 *
 * @param number that of the file's name
 * @param first the number of the first change; 0 if there is none
 * @param last the number of the last change; 0 if there is none
 * @param lastRecord the number of the first change of the last record; 0 if there is none
 * @param end the position behind the last record that can be read
 * @param flaw why there is no further record; null at the end of the file
 * @param torn whether a process that died while it wrote may have caused the flaw
 * @param endless whether RocksDB would never end to read it
 * @param opening whether the record of an opening is where it was looked for
 * @param predecessor the log before, if the same process wrote it
 */
record WriteAheadLog(
    Path file,
    long number,
    long first,
    long last,
    long lastRecord,
    long end,
    @Nullable String flaw,
    boolean torn,
    boolean endless,
    boolean opening,
    long size,
    @Nullable Predecessor predecessor) {
  private static final int BATCH_HEADER = 12;
  private static final int PREDECESSOR = 130;

  /**
   * What a log says about the log before it.
   *
   * @param lastRecord the number of the first change of its last record
   */
  record Predecessor(long number, long size, long lastRecord) {}

  boolean isEmpty() {
    return last == 0;
  }

  String name() {
    return name(number);
  }

  static String name(long number) {
    return String.format(Locale.ROOT, "%06d.log", number);
  }

  /** Whether the record of an opening was looked for in this log, and something else was found. */
  boolean isForeign(AcknowledgedChanges.Bounds bounds) {
    return number == bounds.firstLog()
        && !isEmpty()
        && last >= bounds.openingSequence()
        && !opening;
  }

  /**
   * Reads a log.
   *
   * @param bounds where the record of an opening is
   * @return null if there is no such file any more
   */
  static @Nullable WriteAheadLog read(
      Path file, long number, AcknowledgedChanges.@Nullable Bounds bounds) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return new Reader(channel, bounds).read(file, number, channel);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Reads one file. */
  private static final class Reader extends LogReader {
    private final AcknowledgedChanges.@Nullable Bounds bounds;
    private long first;
    private long last;
    private long lastRecord;
    private boolean opening;
    private @Nullable Predecessor predecessor;

    /** Whether the record that is being read is that of the opening. */
    private boolean sought;

    private int batchHeaderLength;
    private final byte[] batchHeader = new byte[BATCH_HEADER];

    Reader(FileChannel channel, AcknowledgedChanges.@Nullable Bounds bounds) {
      super(channel, true);
      this.bounds = bounds;
    }

    WriteAheadLog read(Path file, long number, FileChannel channel) throws IOException {
      readAll();
      return new WriteAheadLog(
          file,
          number,
          first,
          last,
          lastRecord,
          end(),
          flaw(),
          torn(),
          endless(),
          opening,
          channel.size(),
          predecessor);
    }

    @Override
    void begin() {
      batchHeaderLength = 0;
      sought = false;
    }

    @Override
    void part(int type, int at, int length) {
      int taken = Math.min(BATCH_HEADER - batchHeaderLength, length);
      block.get(at, batchHeader, batchHeaderLength, taken);
      batchHeaderLength += taken;
      lookForOpening(type, at, length);
    }

    @Override
    void other(int type, int at, int length) {
      if (type == PREDECESSOR && length >= 3 * Long.BYTES) {
        predecessor =
            new Predecessor(
                block.getLong(at),
                block.getLong(at + Long.BYTES),
                block.getLong(at + 2 * Long.BYTES));
      }
    }

    @Override
    void recordEnds(long position) {
      if (batchHeaderLength < BATCH_HEADER) {
        flaw(false, "has a record without a batch");
        return;
      }
      ByteBuffer header = ByteBuffer.wrap(batchHeader).order(ByteOrder.LITTLE_ENDIAN);
      long sequence = header.getLong(0);
      long count = Integer.toUnsignedLong(header.getInt(8));
      if (last > 0 && sequence > last + 1) {
        flaw(
            false,
            "continues with change " + sequence + " after change " + last + " at " + position);
        return;
      }
      if (count > 0) {
        first = first == 0 ? sequence : first;
        last = Math.max(last, sequence + count - 1);
      }
      lastRecord = Math.max(lastRecord, sequence);
    }

    /** A record that is divided between blocks is not looked into. */
    private void lookForOpening(int type, int at, int length) {
      if (bounds == null || opening || batchHeaderLength < BATCH_HEADER) {
        return;
      }
      ByteBuffer header = ByteBuffer.wrap(batchHeader).order(ByteOrder.LITTLE_ENDIAN);
      sought |= header.getLong(0) == bounds.openingSequence();
      if (sought) {
        String content = new String(block.array(), at, length, StandardCharsets.ISO_8859_1);
        UUID wanted = bounds.opening();
        opening = type != FULL || content.contains(wanted.toString());
      }
    }
  }
}
