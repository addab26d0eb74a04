package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file in the format of RocksDB's logs, in which lists of table files are,
 * too: blocks of 32 KiB, and in these fragments of records, which are a CRC, a length and a type,
 * then a part of the record. Ends at the first flaw.
 */
abstract class LogReader {
  static final int FULL = 1;
  static final int FIRST = 2;
  static final int MIDDLE = 3;
  static final int LAST = 4;

  private static final int BLOCK = 32 << 10;
  private static final int HEADER = 7;
  private static final int CRC_DELTA = 0xa282ead8;

  /** Types from here on are records about the log itself, or of no interest to older readers. */
  private static final int OTHERS = 9;

  /**
   * Types of records in files that are written again, which this store does not use. RocksDB looks
   * for the end of such a record forever, whatever its checksum.
   */
  private static final Set<Integer> ENDLESS = Set.of(5, 6, 7, 8, 11, 131);

  /** The block that is being read. */
  final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);

  private final FileChannel channel;
  private final boolean reserves;
  private @Nullable String flaw;
  private boolean torn;
  private boolean endless;
  private long end;

  /** Whether fragments of a record that is not complete have been read. */
  private boolean inRecord;

  /**
   * @param reserves whether zeros between records are space that was reserved
   */
  LogReader(FileChannel channel, boolean reserves) {
    this.channel = channel;
    this.reserves = reserves;
  }

  /** A record begins. */
  abstract void begin();

  /** A part of the record, in the block. */
  abstract void part(int type, int at, int length);

  /** The record ends at this position of the file. */
  abstract void recordEnds(long position);

  /** A record about the log itself, in the block. */
  abstract void other(int type, int at, int length);

  /** Why there is no further record; null at the end of the file. */
  @Nullable String flaw() {
    return flaw;
  }

  /** Whether a process that died while it wrote may have caused the flaw. */
  boolean torn() {
    return torn;
  }

  /** Whether RocksDB would never end to read the file. */
  boolean endless() {
    return endless;
  }

  /** The position behind the last record that can be read. */
  long end() {
    return end;
  }

  void flaw(boolean mayBeTorn, String what) {
    flaw = what;
    torn = mayBeTorn;
  }

  final void readAll() throws IOException {
    for (long start = 0; flaw == null && fill(start); start += BLOCK) {
      readBlock(start);
      if (block.limit() < BLOCK) {
        break; // a writer may have gone on since; the rest of this block was not read
      }
    }
    if (flaw == null && inRecord) {
      flaw(true, "ends within a record");
    }
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
        if (inRecord || !reserves) {
          flaw(false, "has zeros" + (inRecord ? " within a record" : "") + " at " + (start + at));
        }
        return;
      }
      if (ENDLESS.contains(type)) {
        endless = true;
        flaw(false, "has a record of the unknown type " + type + " at " + (start + at));
      } else if (at + HEADER + length > limit) {
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
        begin();
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
        } else {
          other(type, at, length);
        }
        if (!inRecord) {
          end = fragmentEnd;
        }
        return;
      }
    }
    part(type, at, length);
    inRecord = type == FIRST || type == MIDDLE;
    if (!inRecord) {
      recordEnds(fragmentEnd);
      end = flaw == null ? fragmentEnd : end;
    }
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
