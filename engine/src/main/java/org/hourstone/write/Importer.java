package org.hourstone.write;

import com.google.common.collect.Lists;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.HeapRoom;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Imports files of lines {@code metric timestamp value tag=value …}.
 *
 * <p>Every line is accounted for: stored, or reported as rejected or failed with its position and
 * reason. Points may be in any order. Those that are not after the latest of their series are
 * buffered and compared with the store, some thousands at a time. So repeated timestamps are
 * counted exactly, in bounded memory, and if lines share a timestamp, the last one is written last.
 * For one thread.
 */
public final class Importer {
  private static final int MOST_BUFFERED = 8192;
  private static final int ROWS_PER_READ = 64;

  /** Which part of the heap the latest timestamps of series may take. */
  private static final int ORDER_SHARE = 16;

  private static final int LINES_AT_ONCE = 1000;
  private static final int LINES_PER_SAFE_POINT = 100_000;
  private static final int MOST_POINTS = 4096;

  private final PointWriter writer;
  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final LongPredicate mayHaveExpired;
  private final Predicate<byte[]> hasExpired;
  private final Consumer<byte[]> unexpired;

  /** The series and base time of the row that was last found not to have expired. */
  private @Nullable Series unexpiredSeries;

  private long unexpiredHour;
  private final ImportOptions options;
  private final ImportListener listener;
  private final ImportOrder order = new ImportOrder(HeapRoom.bytes() / ORDER_SHARE);
  private final RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
  private List<Buffered> buffered = new ArrayList<>();
  private final RowPoints points = new RowPoints();

  /** Points of known series that are after the latest of their series. */
  private final TextPoints known;

  /** How many lines were read together that were left. */
  private int block = 1;

  private final LongAdder stored = new LongAdder();
  private final ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();

  /**
   * The first line of the current file that the store rejected; later lines may not be stored
   * either.
   */
  private @Nullable Failure earliest;

  private long lines;
  private long rejected;
  private long repeated;
  private long uncounted;

  private record Buffered(ResolvedPoint point, FileReceipt receipt, long line) {}

  private record RowInstant(Bytes row, long millis) {}

  private record Failure(String file, long line, RuntimeException reason) {}

  /** Counts stored points and keeps failures until the importing thread reports them. */
  private final class FileReceipt implements SoonGivenUp {
    private final String file;

    FileReceipt(String file) {
      this.file = file;
    }

    @Override
    public void stored(long line) {
      stored.increment();
    }

    @Override
    public void stored(long[] lines, int from, int to) {
      stored.add(to - from);
    }

    @Override
    public void failed(long line, RuntimeException reason) {
      failures.add(new Failure(file, line, reason));
    }
  }

  /**
   * @param writer writes the points
   * @param store the store the writer writes to
   * @param family the data table's
   * @param mayHaveExpired whether rows with a base time may have expired
   * @param hasExpired whether such a row has, by its key
   * @param unexpired receives the keys of those that have; throws
   */
  public Importer(
      PointWriter writer,
      KeyValueReader store,
      Family family,
      RowKey keys,
      LongPredicate mayHaveExpired,
      Predicate<byte[]> hasExpired,
      Consumer<byte[]> unexpired,
      ImportOptions options,
      ImportListener listener) {
    this.writer = writer;
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.mayHaveExpired = mayHaveExpired;
    this.hasExpired = hasExpired;
    this.unexpired = unexpired;
    this.options = options;
    this.listener = listener;
    this.known = writer.importPoints(this::isAfterLatest);
  }

  /**
   * Imports one file.
   *
   * @param file its name, for messages
   * @param in its text; not closed
   * @throws ImportException if the file can't be read to its end, a line is rejected and errors are
   *     not skipped, the store fails, or the listener stops it; earlier lines are stored or
   *     reported
   */
  public void run(String file, InputStream in) {
    run(file, new LineSource(in), 0);
  }

  /**
   * As {@link #run(String, InputStream)}, after lines that are stored already.
   *
   * @param skip the number of those lines
   */
  public void run(String file, LineSource source, long skip) {
    FileReceipt receipt = new FileReceipt(file);
    long number = skip; // they stay stored if the file can't be read up to there
    earliest = null;
    try {
      skip(file, source, skip);
      while (true) {
        int taken = takeKnown(source, receipt);
        number += taken;
        if (!failures.isEmpty() || (taken > 0 && number % LINES_PER_SAFE_POINT == 0)) {
          settle(file, number);
        }
        if (taken == 0 || !endsEarly(taken, number)) {
          List<ImportLine> some = next(file, source, linesTogether(source, taken));
          if (some.isEmpty()) {
            break;
          }
          for (ImportLine line : some) {
            importLine(file, line, receipt);
            number = line.number();
            if (buffered.size() >= MOST_BUFFERED) {
              writeBuffered();
            }
            if (number % LINES_PER_SAFE_POINT == 0) {
              settle(file, number);
            }
          }
        }
        if (listener.isStopped()) {
          throw new ImportException(file + ": stopped after line " + number);
        }
      }
      settle(file, number);
    } catch (RuntimeException e) {
      try {
        settle(file, number);
      } catch (RuntimeException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      if (earliest == null) {
        throw e;
      }
      listener.stored(file, earliest.line() - 1);
      throw storeFailed(earliest, e);
    }
  }

  private void skip(String file, LineSource source, long lines) {
    while (source.lineNumber() < lines) {
      if (readLine(file, source) == null) {
        throw new ImportException(
            file
                + ": has "
                + source.lineNumber()
                + " lines, fewer than the "
                + lines
                + " that are stored");
      }
    }
  }

  /**
   * Takes points from the bytes of the next lines that are buffered whole, up to a line that is not
   * a usual one of a known series, or whose point is not later than those before it.
   *
   * @return how many lines were taken
   */
  private int takeKnown(LineSource source, FileReceipt receipt) {
    int taken = 0;
    while (isUsual(source)
        && known.addImportLine(
            source.bytes(), source.begin(), source.lineEnd(), source.lineNumber() + 1)) {
      source.skipLine();
      taken++;
      if (endsEarly(taken, source.lineNumber())) {
        break;
      }
    }
    lines += taken;
    listener.read(taken);
    known.send(receipt);
    return taken;
  }

  private boolean isUsual(LineSource source) {
    return source.hasBytes() && !(options.comments() && source.bytes()[source.begin()] == '#');
  }

  /** Whether points are handed over though the next line may be taken, too. */
  private static boolean endsEarly(int taken, long number) {
    return taken == MOST_POINTS || number % LINES_PER_SAFE_POINT == 0;
  }

  private boolean isAfterLatest(Series series, long timestamp) {
    long millis = Timestamps.toMillis(timestamp);
    if (millis <= order.latest(series) || hasExpired(series, Timestamps.baseTime(timestamp))) {
      return false;
    }
    order.advance(series, millis);
    return true;
  }

  /** Most lines of old points are of rows that other rules keep, and follow one of their row. */
  private boolean hasExpired(Series series, long baseTime) {
    if (!mayHaveExpired.test(baseTime)
        || (baseTime == unexpiredHour && series.equals(unexpiredSeries))) {
      return false;
    }
    if (hasExpired.test(series.rowKey(baseTime))) {
      return true;
    }
    unexpiredSeries = series;
    unexpiredHour = baseTime;
    return false;
  }

  /**
   * How many lines are read as text before the next one may be taken from its bytes: the more, the
   * more of them were left. Their new names are assigned together.
   */
  private int linesTogether(LineSource source, int taken) {
    if (!source.mayHaveBytes()) {
      return LINES_AT_ONCE;
    }
    if (!source.hasBytes()) {
      return 1; // it was left since a part of it is still to be read
    }
    block = taken > LINES_AT_ONCE / 10 ? 1 : Math.min(LINES_AT_ONCE, block * 2);
    return block;
  }

  /** The next lines, their names resolved; empty if there are no more. */
  private List<ImportLine> next(String file, LineSource source, int most) {
    List<ImportLine> some = new ArrayList<>();
    do {
      String text = readLine(file, source);
      if (text == null) {
        break;
      }
      some.add(
          new ImportLine(
              source.lineNumber(),
              options.isSkipped(text) ? "" : text,
              source.problem(),
              source.original()));
    } while (some.size() < most && source.isReady());
    if (options.anyOrder() || options.skipErrors()) { // else any line may be the last one
      writer.resolver().prepare(some, options.skipErrors());
    }
    return some;
  }

  private @Nullable String readLine(String file, LineSource source) {
    try {
      return source.next();
    } catch (EOFException e) {
      throw new ImportException(
          file + ": truncated after line " + source.lineNumber() + "; the lines before are stored",
          e);
    } catch (IOException e) {
      String line = " after line " + source.lineNumber();
      throw new ImportException(
          file
              + (listener.isStopped()
                  ? ": stopped" + line
                  : ": cannot be read" + line + ": " + e.getMessage()),
          e);
    }
  }

  private void importLine(String file, ImportLine line, FileReceipt receipt) {
    if (line.isEmpty()) {
      return;
    }
    lines++;
    listener.read(1);
    try {
      take(writer.resolver().resolve(line), receipt, line.number());
    } catch (StoreException e) {
      throw refused(List.of(new Failure(file, line.number(), e)), e);
    } catch (TsdbException | CorruptDataException e) {
      rejected++;
      String reason = SingleLine.of(String.valueOf(e.getMessage()));
      listener.rejected(file + ":" + line.number(), reason, line.original());
      if (!options.skipErrors()) {
        throw new ImportException(file + ":" + line.number() + ": " + reason, e);
      }
    }
  }

  private void take(ResolvedPoint point, FileReceipt receipt, long line) {
    long baseTime = Timestamps.baseTime(point.timestamp());
    if (hasExpired(point.series(), baseTime)) {
      unexpired.accept(point.series().rowKey(baseTime)); // here its line is available
    }
    long millis = Timestamps.toMillis(point.timestamp());
    long latest = order.latest(point.series());
    if (millis > latest || (!options.anyOrder() && !order.knows(point.series()))) {
      order.advance(point.series(), millis);
      writer.take(point, receipt, line);
    } else if (!options.anyOrder()) {
      throw new RequestException(
          "New timestamp="
              + point.timestamp()
              + " is less than or equal to previous="
              + latest
              + " (in ms) of its series");
    } else {
      order.advance(point.series(), latest);
      buffered.add(new Buffered(point, receipt, line));
    }
  }

  private void writeBuffered() {
    List<Buffered> now = buffered;
    buffered = new ArrayList<>();
    int handedOn = 0;
    try {
      if (!now.isEmpty()) {
        writer.flush();
      }
      Set<RowInstant> taken = storedInstants(now);
      for (Buffered held : now) {
        writer.take(held.point(), held.receipt(), held.line());
        handedOn++;
        if (!taken.add(instant(held.point()))) {
          repeated++;
        }
      }
    } catch (RuntimeException e) {
      throw refused(
          now.subList(handedOn, now.size()).stream()
              .map(held -> new Failure(held.receipt().file, held.line(), e))
              .toList(),
          e);
    }
  }

  /** The timestamps of points at which the store already has points. */
  private Set<RowInstant> storedInstants(List<Buffered> points) {
    Set<RowInstant> asked = new HashSet<>();
    points.forEach(held -> asked.add(instant(held.point())));
    List<byte[]> rows = asked.stream().map(RowInstant::row).distinct().map(Bytes::array).toList();
    Set<RowInstant> found = new HashSet<>();
    for (List<byte[]> some : Lists.partition(rows, ROWS_PER_READ)) {
      for (Row row : store.get(family, some, Columns.all())) {
        try {
          addInstants(row, asked, found);
        } catch (CorruptDataException e) {
          // Only the count of repeats is affected; readers of the row get the corruption error.
          uncounted++;
        }
      }
    }
    return found;
  }

  private void addInstants(Row row, Set<RowInstant> asked, Set<RowInstant> stored) {
    decoder.start();
    for (int i = 0; i < row.size(); i++) {
      decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
    }
    decoder.finish(points);
    long baseMillis = keys.baseTime(row.key()) * 1000;
    Bytes key = new Bytes(row.key());
    for (int i = 0; i < points.size(); i++) {
      RowInstant instant = new RowInstant(key, baseMillis + points.offset(i));
      if (asked.contains(instant)) {
        stored.add(instant);
      }
    }
  }

  private RowInstant instant(ResolvedPoint point) {
    byte[] row = point.series().rowKey(Timestamps.baseTime(point.timestamp()));
    return new RowInstant(new Bytes(row), Timestamps.toMillis(point.timestamp()));
  }

  /**
   * Waits until all that was taken is stored or has failed, and reports the latter, in any case.
   */
  private void settle(String file, long line) {
    try {
      try {
        writeBuffered();
      } finally {
        writer.flush();
      }
    } finally {
      reportFailures();
    }
    if (earliest == null) {
      listener.stored(file, line);
    }
  }

  private void reportFailures() {
    List<Failure> failed = new ArrayList<>();
    for (Failure failure = failures.poll(); failure != null; failure = failures.poll()) {
      if (options.skipErrors() && failure.reason() instanceof RequestException) {
        report(failure); // the line is wrong, as when its values have expired; the store is not
      } else {
        failed.add(failure);
      }
    }
    if (!failed.isEmpty()) {
      throw refused(failed, failed.get(0).reason());
    }
  }

  /** Reports lines the store did not take; the exception names the first of all of them. */
  private ImportException refused(List<Failure> failed, RuntimeException cause) {
    for (Failure failure : failed) {
      report(failure);
      if (earliest == null || failure.line() < earliest.line()) {
        earliest = failure;
      }
    }
    return storeFailed(earliest == null ? failed.get(0) : earliest, cause);
  }

  private void report(Failure failure) {
    rejected++;
    listener.failed(
        failure.file() + ":" + failure.line(),
        SingleLine.of(String.valueOf(failure.reason().getMessage())));
  }

  private static ImportException storeFailed(Failure first, RuntimeException cause) {
    return new ImportException(
        first.file()
            + ":"
            + first.line()
            + ": the store failed: "
            + SingleLine.of(String.valueOf(first.reason().getMessage())),
        cause);
  }

  /** The number of points stored so far; allocates nothing. May be called by any thread. */
  public long stored() {
    return stored.sum();
  }

  /** The result for the files imported so far. */
  public ImportReport report() {
    return new ImportReport(lines, stored.sum(), rejected, repeated, uncounted);
  }
}
