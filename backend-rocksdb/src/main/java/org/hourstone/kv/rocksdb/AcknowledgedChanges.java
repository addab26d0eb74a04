package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Every number in this file is a lower bound of what the store must have: a store that has less has
 * lost acknowledged changes. It is written after each change, so it survives the death of the
 * process like the write-ahead log does. RocksDB itself can't notice that the newest log is
 * missing, cut or replaced.
 *
 * <p>Before each write the file is read: another store's file may have been copied over it, and
 * must not get this store's numbers. It is not mapped: the process would end if it became shorter.
 *
 * <p>After a loss of power the file may be newer than the logs, so only what was synced counts
 * then: the file names the boot of the system in which it was written.
 *
 * <pre>
 *   0  magic, 8 bytes       8  CRC-32C of bytes 16 to 80     16  boot: UUID, zero if not known
 *  32  opening: UUID       48  first log                     56  sequence number of the opening
 *  64  manifest            72  its size
 *  80  then pairs of equal numbers, of which the smaller one counts: changes, synced, flushed,
 *      manifest at close, its size at close
 * </pre>
 */
final class AcknowledgedChanges implements AutoCloseable {
  static final String FILE = "ACKNOWLEDGED";

  /** Why writes are refused then. */
  static final String REPLACED = OwnFiles.REPLACED + FILE + " is another file";

  private static final System.Logger LOG = System.getLogger("org.hourstone.kv.rocksdb");
  private static final long MAGIC = 0x4853_4143_4B31_0A00L;
  private static final int FIXED = 16;
  private static final int CHANGES = 80;
  private static final int SYNCED = 96;
  private static final int FLUSHED = 112;
  private static final int MANIFEST = 128;
  private static final int MANIFEST_BYTES = 144;
  private static final int OPENING = 32;
  private static final int SIZE = 256;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  private static final UUID UNKNOWN = new UUID(0, 0);

  private final Path directory;
  private final RocksDbErrors errors;
  private final boolean syncs;

  /** What was stored last. */
  private volatile long changes;

  private volatile boolean isReplaced;

  // Guarded by this.
  private @Nullable RandomAccessFile file;
  private boolean isWarned;

  /** The file's bytes from the opening on, as they should be. */
  private final byte[] content = new byte[MANIFEST_BYTES + 16 - OPENING];

  private final byte[] found = new byte[CHANGES - OPENING];

  /**
   * What a store must have.
   *
   * @param opening the value of {@code hourstone.opening}, which the process wrote first
   * @param firstLog the log with that record
   * @param openingSequence its sequence number
   * @param changes the sequence number of the last change that must be there
   * @param manifest a number below which no MANIFEST is current
   * @param manifestBytes the least size of this MANIFEST
   * @param closed whether all changes were in table files when the store was closed
   */
  record Bounds(
      UUID opening,
      long firstLog,
      long openingSequence,
      long changes,
      long manifest,
      long manifestBytes,
      boolean closed) {}

  /** Keeps the numbers of a store that is open for writing. */
  AcknowledgedChanges(Path directory, boolean syncs, RocksDbErrors errors) {
    this.directory = directory;
    this.errors = errors;
    this.syncs = syncs;
  }

  /** The bounds of a store; null if none are known. */
  static @Nullable Bounds read(Path directory) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(directory.resolve(FILE));
    } catch (IOException e) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < SIZE || in.getLong(0) != MAGIC || in.getInt(8) != checksum(in)) {
      return null;
    }
    UUID boot = uuid(in, 16);
    boolean sameBoot = !boot.equals(UNKNOWN) && boot.equals(boot());
    long flushed = least(in, FLUSHED);
    long changes = least(in, CHANGES);
    boolean closed = flushed > 0 && flushed >= changes;
    return new Bounds(
        uuid(in, 32),
        in.getLong(48),
        in.getLong(56),
        sameBoot ? changes : Math.max(least(in, SYNCED), flushed),
        closed ? least(in, MANIFEST) : in.getLong(64),
        closed ? least(in, MANIFEST_BYTES) : in.getLong(72),
        closed);
  }

  /**
   * Begins the file, after the first record of this opening was written. If it can't be written,
   * the store works without it.
   */
  void begin(UUID opening, long firstLog, long sequence, Manifest manifest) {
    ByteBuffer fixed = ByteBuffer.allocate(SIZE).putLong(0, MAGIC);
    put(fixed, 16, boot());
    put(fixed, 32, opening);
    fixed.putLong(48, firstLog).putLong(56, sequence);
    fixed.putLong(64, manifest.number()).putLong(72, manifest.bytes());
    fixed.putInt(8, checksum(fixed));
    for (int copy = 0; copy < 16; copy += 8) {
      fixed.putLong(CHANGES + copy, sequence);
      fixed.putLong(SYNCED + copy, syncs ? sequence : 0);
    }
    Path unfinished = directory.resolve(FILE + ".dbtmp");
    try {
      Files.deleteIfExists(unfinished);
      RandomAccessFile out = new RandomAccessFile(unfinished.toFile(), "rw");
      boolean done = false;
      try {
        out.write(fixed.array());
        Files.move(
            unfinished,
            directory.resolve(FILE),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
        done = true;
      } finally {
        if (!done) {
          out.close();
        }
      }
      synchronized (this) {
        fixed.get(OPENING, content);
        changes = sequence;
        file = out;
      }
    } catch (IOException | UnsupportedOperationException e) {
      warn("so the loss of a write-ahead log would not be noticed", e);
    }
  }

  private void warn(String consequence, Exception e) {
    LOG.log(
        Level.WARNING,
        "{0}: can''t write {1}, {2}: {3}",
        errors.named(directory.toString()),
        FILE,
        consequence,
        errors.named(e.toString()));
  }

  /** Changes up to this sequence number are in the log, and synced if the store syncs. */
  void written(long sequence) {
    if (sequence <= changes) {
      return;
    }
    synchronized (this) {
      if (sequence > changes) {
        set(CHANGES, sequence);
        if (syncs) {
          set(SYNCED, sequence);
        }
        write(FLUSHED);
        changes = sequence;
      }
    }
  }

  /** Changes up to this sequence number are in table files, by this MANIFEST. */
  synchronized void flushed(long sequence, Manifest manifest) {
    set(MANIFEST_BYTES, manifest.bytes());
    set(MANIFEST, manifest.number());
    set(FLUSHED, sequence);
    write(OPENING + content.length);
  }

  /** Whether another file was copied over this one, which is not written any more. */
  boolean isReplaced() {
    return isReplaced;
  }

  @Override
  public synchronized void close() {
    RandomAccessFile open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // What was written is written.
      }
    }
  }

  private void set(int at, long value) {
    ByteBuffer.wrap(content).putLong(at - OPENING, value).putLong(at - OPENING + 8, value);
  }

  /** Writes the numbers before a position. After an error, the next call tries again. */
  private void write(int end) {
    RandomAccessFile out = file;
    if (out == null || isReplaced) {
      return;
    }
    try {
      out.seek(OPENING);
      int length = found.length;
      if (out.read(found) != length || !Arrays.equals(found, 0, length, content, 0, length)) {
        isReplaced = true;
        return;
      }
      out.write(content, length, end - CHANGES);
    } catch (IOException e) {
      if (!isWarned) {
        isWarned = true;
        warn("which is tried again with the next change", e);
      }
    }
  }

  /** The process may have died between the writes of the two copies. */
  private static long least(ByteBuffer in, int at) {
    return Math.min(in.getLong(at), in.getLong(at + 8));
  }

  private static int checksum(ByteBuffer in) {
    CRC32C crc = new CRC32C();
    crc.update(in.duplicate().position(FIXED).limit(CHANGES));
    return (int) crc.getValue();
  }

  private static UUID uuid(ByteBuffer in, int at) {
    return new UUID(in.getLong(at), in.getLong(at + 8));
  }

  private static void put(ByteBuffer out, int at, UUID id) {
    out.putLong(at, id.getMostSignificantBits()).putLong(at + 8, id.getLeastSignificantBits());
  }

  private static UUID boot() {
    try {
      return UUID.fromString(Files.readString(BOOT_ID).strip());
    } catch (IOException | RuntimeException e) {
      return UNKNOWN; // not Linux
    }
  }
}
