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
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a write-ahead log of RocksDB contains, as far as its records can be read. A log consists of
 * blocks of 32 KiB, and these of fragments of records: CRC, length and type, then a part of the
 * record. A record is a batch of changes, which begins with the sequence number of its first change
 * and their number. The changes of all logs are numbered consecutively.
 *
 * @param number that of the file's name
 * @param first the number of the first change; 0 if there is none
 * @param last the number of the last change; 0 if there is none
 * @param lastRecord the number of the first change of the last record; 0 if there is none
 * @param end the position behind the last record that can be read
 * @param flaw why there is no further record; null at the end of the file
 * @param torn whether a process that died while it wrote may have caused the flaw
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
    boolean opening,
    long size,
    @Nullable Predecessor predecessor) {
  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int BATCH_HEADER = 12;
  private static final int CRC_DELTA = 0xa282ead8;

  private static final int FULL = 1;
  private static final int FIRST = 2;
  private static final int MIDDLE = 3;
  private static final int LAST = 4;

  private static final int PREDECESSOR = 130;

  /** Types from here on are records about the log itself, or of no interest to older readers. */
  private static final int OTHERS = 9;

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
      return new Reader(channel, bounds).read(file, number);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Reads one file. */
  private static final class Reader {
    private final FileChannel channel;
    private final AcknowledgedChanges.@Nullable Bounds bounds;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    private long first;
    private long last;
    private long lastRecord;
    private long end;
    private @Nullable String flaw;
    private boolean torn;
    private boolean opening;
    private @Nullable Predecessor predecessor;

    /** Whether fragments of a record that is not complete have been read. */
    private boolean inRecord;

    /** Whether the record that is being read is that of the opening. */
    private boolean sought;

    private int batchHeaderLength;
    private final byte[] batchHeader = new byte[BATCH_HEADER];

    Reader(FileChannel channel, AcknowledgedChanges.@Nullable Bounds bounds) {
      this.channel = channel;
      this.bounds = bounds;
    }

    WriteAheadLog read(Path file, long number) throws IOException {
      for (long start = 0; flaw == null && fill(start); start += BLOCK) {
        readBlock(start);
        if (block.limit() < BLOCK) {
          break; // a writer may have gone on since; the rest of this block was not read
        }
      }
      if (flaw == null && inRecord) {
        flaw = "ends within a record";
        torn = true;
      }
      return new WriteAheadLog(
          file,
          number,
          first,
          last,
          lastRecord,
          end,
          flaw,
          torn,
          opening,
          channel.size(),
          predecessor);
    }

    private boolean fill(long start) throws IOException {
      block.clear();
      while (block.hasRemaining()) {
        int read = channel.read(block, start + block.position());
        if (read < 0) {
          break;
        }
      }
      block.flip();
      return block.hasRemaining();
    }

    private void readBlock(long start) {
      int at = 0;
      int limit = block.limit();
      while (flaw == null && at + HEADER <= limit) {
        int length = Short.toUnsignedInt(block.getShort(at + 4));
        int type = Byte.toUnsignedInt(block.get(at + 6));
        if (type == 0 && length == 0) {
          if (inRecord) {
            flaw(false, "has zeros within a record at " + (start + at));
          }
          return; // space that was reserved
        }
        if (at + HEADER + length > limit) {
          flaw(limit < BLOCK, "ends within a record");
        } else if (block.getInt(at) != crc(at + 6, length + 1)) {
          flaw(false, "has a record with a wrong checksum at " + (start + at));
        } else {
          fragment(type, at + HEADER, length, start + at + HEADER + length);
        }
        at += HEADER + length;
      }
      if (flaw == null && limit < BLOCK && at < limit && !isZero(at)) {
        flaw(true, "ends within a record");
      }
    }

    private void fragment(int type, int at, int length, long fragmentEnd) {
      switch (type) {
        case FULL, FIRST -> {
          if (inRecord) {
            flaw(false, "lacks the end of the record before " + (fragmentEnd - length - HEADER));
            return;
          }
          batchHeaderLength = 0;
          sought = false;
        }
        case MIDDLE, LAST -> {
          if (!inRecord) {
            flaw(false, "lacks the beginning of the record at " + (fragmentEnd - length - HEADER));
            return;
          }
        }
        default -> {
          if (type < OTHERS) {
            flaw(false, "has a record of the unknown type " + type);
          } else if (type == PREDECESSOR && length >= 3 * Long.BYTES) {
            predecessor =
                new Predecessor(
                    block.getLong(at),
                    block.getLong(at + Long.BYTES),
                    block.getLong(at + 2 * Long.BYTES));
          }
          if (!inRecord) {
            end = fragmentEnd;
          }
          return;
        }
      }
      int taken = Math.min(BATCH_HEADER - batchHeaderLength, length);
      block.get(at, batchHeader, batchHeaderLength, taken);
      batchHeaderLength += taken;
      lookForOpening(type, at, length);
      inRecord = type == FIRST || type == MIDDLE;
      if (!inRecord) {
        recordEnds(fragmentEnd);
      }
    }

    private void recordEnds(long recordEnd) {
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
            "continues with change " + sequence + " after change " + last + " at " + recordEnd);
        return;
      }
      if (count > 0) {
        first = first == 0 ? sequence : first;
        last = Math.max(last, sequence + count - 1);
      }
      lastRecord = Math.max(lastRecord, sequence);
      end = recordEnd;
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

    private void flaw(boolean mayBeTorn, String what) {
      flaw = what;
      torn = mayBeTorn;
    }

    private boolean isZero(int from) {
      for (int i = from; i < block.limit(); i++) {
        if (block.get(i) != 0) {
          return false;
        }
      }
      return true;
    }

    /** As RocksDB stores it. */
    private int crc(int at, int length) {
      CRC32C crc = new CRC32C();
      crc.update(block.array(), at, length);
      int value = (int) crc.getValue();
      return ((value >>> 15) | (value << 17)) + CRC_DELTA;
    }
  }
}
