package org.hourstone.mirror;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.mirror.MirrorCounts.Skipped;
import org.hourstone.write.PointMirror;
import org.jspecify.annotations.Nullable;

/**
 * Points that another server has not settled yet, in the files of a directory. A record is written
 * to the file system when {@link #append} has returned: it survives the end of this process, and
 * also a crash of the machine if each is synced. A file that was there when the queue was opened is
 * never written to again. Points that have no place are counted, and the log says when that begins
 * and ends. Thread-safe; one thread at a time reads.
 */
final class MirrorQueue implements PointMirror {
  static final System.Logger LOG = System.getLogger("org.hourstone.mirror");

  private static final int LEAST_SEGMENT = QueueRecord.MAX_BYTES;
  private static final int MOST_SEGMENT = 64 << 20;
  private static final int SEGMENTS = 16;
  private static final long WARN_MILLIS = 60_000;

  /**
   * The directories in use by this process: closing any channel of a file releases the lock that
   * the process has on it.
   */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private final Options options;
  private final InstantSource clock;
  private final MirrorCounts counts = new MirrorCounts();
  private final Path directory;
  private final FileChannel lock;
  private final RandomAccessFile positionFile;
  private final QueueStore store;
  private final int segmentBytes;
  private final AtomicBoolean hasSkippedCells = new AtomicBoolean();

  // Guarded by this.
  private final Deque<QueueSegment> segments = new ArrayDeque<>();
  private QueuePosition position;
  private long lastNumber;
  private long bytes;
  private @Nullable RandomAccessFile tail;
  private long appends;
  private boolean closed;
  private boolean isRefusing;
  private long refusingSince;
  private long refusedPoints;
  private long warnedAt;

  /** Changed while this is locked; read without, since a statistic must not wait for a disk. */
  private volatile long unsettledBytes;

  /**
   * Where the queue is.
   *
   * @param store the identity of the store whose UIDs the points have; empty if it has none, null
   *     if it can't say that now
   * @param mostBytes the maximum size of its files
   * @param sync whether each record is synced
   */
  record Options(Path directory, @Nullable String store, long mostBytes, boolean sync) {}

  private MirrorQueue(Options options, InstantSource clock) throws IOException {
    this.options = options;
    this.clock = clock;
    this.segmentBytes =
        (int) Math.max(LEAST_SEGMENT, Math.min(MOST_SEGMENT, options.mostBytes() / SEGMENTS));
    this.directory = Files.createDirectories(options.directory()).toRealPath();
    if (!OPEN.add(directory)) {
      throw new IOException("another database of this process uses it");
    }
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      this.lock =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      opened.add(lock);
      takeLock();
      this.positionFile = new RandomAccessFile(directory.resolve("position").toFile(), "rw");
      opened.add(positionFile);
      findSegments();
      this.position = readPosition();
      this.lastNumber =
          Math.max(lastNumber(position), segments.isEmpty() ? 0 : segments.getLast().number());
      settle(position);
      this.store = QueueStore.open(directory.resolve("store"), options.store(), unsettledBytes > 0);
    } catch (IOException | RuntimeException e) {
      opened.forEach(MirrorQueue::close);
      OPEN.remove(directory);
      throw e;
    }
  }

  /** A file in which something was settled is not written again, even if it is missing now. */
  private static long lastNumber(QueuePosition settled) {
    boolean isBegin = settled.offset() == 0 && settled.index() == 0;
    return isBegin ? settled.segment() - 1 : settled.segment();
  }

  /**
   * Opens the queue, creating the directory if need be.
   *
   * @throws IOException if that fails, another process has the queue open, or it has points of
   *     another store: under its UIDs they would get other names
   */
  static MirrorQueue open(Options options, InstantSource clock) throws IOException {
    return new MirrorQueue(options, clock);
  }

  private void takeLock() throws IOException {
    if (lock.tryLock() == null) {
      throw new IOException("another process uses it");
    }
  }

  private void findSegments() throws IOException {
    List<QueueSegment> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        QueueSegment segment = QueueSegment.found(file, Files.size(file));
        if (segment != null) {
          found.add(segment);
          bytes += segment.length();
        }
      }
    }
    found.sort(Comparator.comparingLong(QueueSegment::number));
    segments.addAll(found);
  }

  private QueuePosition readPosition() throws IOException {
    byte[] written = new byte[(int) Math.min(positionFile.length(), 64)];
    positionFile.readFully(written);
    QueuePosition found = QueuePosition.of(written);
    if (found == null && (written.length > 0 || !segments.isEmpty())) {
      LOG.log(
          Level.WARNING,
          "mirror: the position in the queue can't be read, so all that "
              + directory
              + " has is sent again");
    }
    QueuePosition begin = found == null ? QueuePosition.begin() : found;
    writePosition(begin);
    return begin;
  }

  private void writePosition(QueuePosition written) throws IOException {
    positionFile.seek(0);
    positionFile.write(written.bytes());
  }

  MirrorCounts counts() {
    return counts;
  }

  /** The store whose UIDs the points have. */
  QueueStore store() {
    return store;
  }

  long mostBytes() {
    return options.mostBytes();
  }

  /** The size of what is not settled. */
  long unsettledBytes() {
    return unsettledBytes;
  }

  @Override
  public QueueSink sink() {
    return new QueueSink(this, counts, clock);
  }

  /** A cell is not a plain point. */
  void skipOtherCell() {
    counts.skipped(Skipped.OTHER_CELL, 1);
    if (hasSkippedCells.compareAndSet(false, true)) {
      LOG.log(Level.WARNING, "mirror: histograms and rolled-up values are not mirrored");
    }
  }

  /**
   * Appends a record, unless there is no place for it.
   *
   * @param size of the record in the array
   * @param points how many it has
   */
  synchronized void append(byte[] record, int size, int points) {
    if (closed) {
      refuse(Skipped.QUEUE_FAILED, "the queue is closed", points);
      return;
    }
    // A queue that is full takes no more before a part of it is free, so that the log has few
    // lines.
    long most = options.mostBytes() - (isRefusing ? options.mostBytes() / SEGMENTS : 0);
    if (bytes + size > most) {
      refuse(Skipped.QUEUE_FULL, "the queue has " + bytes + " bytes", points);
      return;
    }
    try {
      RandomAccessFile file = tail(size);
      file.write(record, 0, size);
      if (options.sync()) {
        file.getFD().sync();
      }
      segments.getLast().grow(size);
    } catch (IOException
        | RuntimeException e) { // points are stored, whatever becomes of the mirror
      endTail(); // what was written in part is not in its length, and is skipped after a restart
      removeEmpty();
      refuse(Skipped.QUEUE_FAILED, String.valueOf(e.getMessage()), points);
      return;
    }
    bytes += size;
    unsettledBytes += size;
    counts.queued(points);
    appends++;
    accept();
    notifyAll();
  }

  private RandomAccessFile tail(int size) throws IOException {
    RandomAccessFile open = tail;
    if (open != null && segments.getLast().length() + size > segmentBytes) {
      endTail();
      open = null;
    }
    if (open == null) {
      QueueSegment created = QueueSegment.create(directory, lastNumber + 1);
      open = new RandomAccessFile(created.path().toFile(), "rw");
      if (options.sync()) {
        syncDirectory(open);
      }
      lastNumber++;
      segments.add(created);
      tail = open;
    }
    return open;
  }

  /** So that a file that was created is there after a crash of the machine. */
  private void syncDirectory(RandomAccessFile created) throws IOException {
    try (FileChannel itself = FileChannel.open(directory, StandardOpenOption.READ)) {
      itself.force(true);
    } catch (IOException e) {
      close(created);
      throw e;
    }
  }

  private void endTail() {
    RandomAccessFile open = tail;
    if (open != null) {
      tail = null;
      segments.getLast().end();
      close(open);
    }
  }

  /** So that a disk without room does not get a file for each attempt. */
  private void removeEmpty() {
    QueueSegment last = segments.peekLast();
    if (last != null && last.length() == 0 && !last.isWritten()) {
      segments.removeLast();
      try {
        Files.deleteIfExists(last.path());
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "an empty file stays", e); // it is deleted after a restart
      }
    }
  }

  private void refuse(Skipped why, String text, int points) {
    counts.skipped(why, points);
    refusedPoints += points;
    if (!isRefusing) {
      isRefusing = true;
      refusingSince = clock.millis();
      refusedPoints = points;
      LOG.log(Level.WARNING, "mirror: points are stored, but not mirrored: " + text);
    }
  }

  private void accept() {
    if (isRefusing) {
      isRefusing = false;
      long seconds = TimeUnit.MILLISECONDS.toSeconds(clock.millis() - refusingSince);
      LOG.log(
          Level.INFO,
          "mirror: points are mirrored again after "
              + seconds
              + " s; "
              + refusedPoints
              + " points were not mirrored");
    }
  }

  /** The rest of a segment is not read: what is appended from now on must not be in it. */
  synchronized void leave(long number) {
    if (tail != null && segments.getLast().number() == number) {
      endTail();
    }
  }

  /** The position up to which all is settled. */
  synchronized QueuePosition position() {
    return position;
  }

  /** All before this position is settled, and need not be kept. */
  synchronized void settle(QueuePosition until) {
    if (closed) {
      return;
    }
    if (!until.equals(position)) {
      position = until;
      try {
        writePosition(until);
      } catch (IOException e) {
        warnOfSettling("the position in the queue can't be written: " + e.getMessage());
      }
    }
    endIdleTail();
    while (!segments.isEmpty() && segments.getFirst().number() < position.segment()) {
      QueueSegment settled = segments.getFirst();
      try {
        Files.deleteIfExists(settled.path());
      } catch (IOException e) {
        warnOfSettling(settled.path() + " can't be deleted: " + e.getMessage());
        break;
      }
      bytes -= settled.length();
      segments.removeFirst();
    }
    unsettledBytes = unsettled();
    if (unsettledBytes == 0) {
      notifyAll();
    }
  }

  /** Waits until all that was appended is settled, for a time at most; whether it is. */
  synchronized boolean awaitSettled(long millis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; unsettledBytes > 0 && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    }
    return unsettledBytes == 0;
  }

  private long unsettled() {
    long sum = 0;
    for (QueueSegment each : segments) {
      if (each.number() == position.segment()) {
        sum += Math.max(0, each.length() - position.offset());
      } else if (each.number() > position.segment()) {
        sum += each.length();
      }
    }
    return sum;
  }

  /** So that a file does not stay that has only settled records. */
  private void endIdleTail() {
    if (tail != null) {
      QueueSegment last = segments.getLast();
      boolean isSettled = position.segment() == last.number() && position.offset() >= last.length();
      if (isSettled && last.length() >= segmentBytes / 4) {
        endTail();
      }
    }
  }

  /** At most one line in a minute: it is tried again with each request. */
  private void warnOfSettling(String why) {
    long now = clock.millis();
    if (now - warnedAt >= WARN_MILLIS) {
      warnedAt = now;
      LOG.log(Level.WARNING, "mirror: " + why + "; after a restart points are sent again");
    }
  }

  /** The first segment with this or a greater number, or null. */
  synchronized @Nullable QueueSegment from(long number) {
    for (QueueSegment each : segments) {
      if (each.number() >= number) {
        return each;
      }
    }
    return null;
  }

  /** Whether a segment may get more records. */
  synchronized boolean isWritten(QueueSegment segment) {
    return segment.isWritten();
  }

  /** How much of a segment can be read now. */
  synchronized long length(QueueSegment segment) {
    return segment.length();
  }

  /** How often something was appended. */
  synchronized long appends() {
    return appends;
  }

  /** Waits until something is appended, or {@link #wake} is called, for a time at most. */
  synchronized void await(long seen, long millis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; appends == seen && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
    }
  }

  synchronized void wake() {
    appends++;
    notifyAll();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      endTail();
      closed = true;
      close(positionFile);
      close(lock);
      OPEN.remove(directory);
    }
  }

  private static void close(AutoCloseable file) {
    try {
      file.close();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "mirror: a file of the queue can't be closed: " + e.getMessage());
    }
  }
}
