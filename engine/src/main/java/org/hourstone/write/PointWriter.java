package org.hourstone.write;

import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.head.HeadShard;
import org.hourstone.head.UnsealedRowsException;
import org.hourstone.head.WrittenRows;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Accepts points from text and from Java, and writes them in the background.
 *
 * <p>A point that is invalid, or whose names can't be resolved, is refused immediately by an
 * exception. The outcome of an accepted point is reported through its {@link Receipt}, exactly
 * once, when the store has accepted it or has failed. With a journal that is as soon as this has
 * it; without one, and with a flush interval, that may be up to one interval later, unless
 * {@linkplain Receipt#isAwaited a caller waits} for the receipt ({@link
 * org.hourstone.head.Acknowledgement}); {@link #flush} and {@link #close} write immediately. While
 * the store is slow the methods wait: at most {@code threads × (queued points + buffered points)}
 * points are in memory, in addition to those being written. Points of one row are stored in the
 * order in which one thread added them. Thread-safe.
 */
public final class PointWriter implements AutoCloseable {
  private final SeriesTable seriesTable;
  private final TextOptions text;
  private final PointCheck check;
  private final PointResolver resolver;
  private final PointIntake intake;

  /**
   * A writer whose threads are not started yet.
   *
   * @param points the data table's family
   * @param keys its row keys
   * @param clock for the flush interval
   * @param admission decides whether points are accepted
   * @param written is notified of stored points
   * @param shards of the open rows, one for each thread
   */
  public PointWriter(
      Family points,
      RowKey keys,
      UidTable uids,
      NameRules rules,
      WriteOptions options,
      TextOptions text,
      InstantSource clock,
      Admission admission,
      WrittenRows written,
      List<HeadShard> shards) {
    this.seriesTable = new SeriesTable(uids, rules, keys, options.cached(), admission);
    this.text = text;
    this.check = PointCheck.ofAnyTime(text.wrapBaseTime());
    this.resolver = new PointResolver(seriesTable, text, check);
    this.intake =
        new PointIntake(points, seriesTable, check, options, clock, admission, written, shards);
  }

  /** Starts the writing threads. Until then accepted points wait. */
  public void start() {
    intake.start();
  }

  PointIntake intake() {
    return intake;
  }

  /**
   * A handle for writing many points of one series, whose names are resolved once.
   *
   * @param tags in the order in which new names get their UIDs
   * @throws RequestException if a name is invalid, or there are too few or too many tags
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown and is not created
   *     automatically
   * @throws org.hourstone.uid.UidAssignmentException if no UID is left for a new name
   */
  public SeriesWriter series(String metric, Map<String, String> tags) {
    Map<String, String> ordered = Collections.unmodifiableMap(new LinkedHashMap<>(tags));
    return new SeriesWriter(intake, metric, ordered, seriesTable.resolve(metric, tags));
  }

  /**
   * Writes an integer; it is stored in the fewest bytes. Throws as {@link #series} does, and {@link
   * RequestException} for a timestamp out of range.
   *
   * @param timestamp seconds if it fits 32 bits, else milliseconds; 0 to 9999999999999
   */
  public void put(
      String metric, Map<String, String> tags, long timestamp, long value, Receipt r, long token) {
    put(metric, tags, timestamp, PointValue.of(value), r, token);
  }

  /** Writes a float; it is stored in 4 bytes. NaN and infinity are refused. */
  public void put(
      String metric, Map<String, String> tags, long timestamp, float value, Receipt r, long token) {
    put(metric, tags, timestamp, PointValue.of(value), r, token);
  }

  /** Writes a double; it is stored in 8 bytes. NaN and infinity are refused. */
  public void put(
      String metric,
      Map<String, String> tags,
      long timestamp,
      double value,
      Receipt r,
      long token) {
    put(metric, tags, timestamp, PointValue.of(value), r, token);
  }

  /** Writes an encoded value. A float that is not finite is refused. */
  public void put(
      String metric,
      Map<String, String> tags,
      long timestamp,
      PointValue value,
      Receipt receipt,
      long token) {
    intake.check(metric, tags, timestamp, value);
    intake.take(seriesTable.resolve(metric, tags), timestamp, value, receipt, token);
  }

  /**
   * Writes a value given as text, as HTTP does: an integer, or a decimal, which is stored in 8
   * bytes. Throws as {@link #series} does.
   *
   * @throws InvalidNumberException if the value is not a number
   */
  public void putText(
      String metric,
      Map<String, String> tags,
      long timestamp,
      String value,
      Receipt r,
      long token) {
    put(metric, tags, timestamp, PointValue.wide(value, text.vanishingDecimals()), r, token);
  }

  /**
   * Gathers points of series handles and sends them together, which costs less than putting each.
   *
   * @param receipt receives the outcome of each. Not a {@link FutureReceipt}, which is for one
   *     point
   */
  public SeriesPoints seriesPoints(Receipt receipt) {
    return new SeriesPoints(intake, receipt);
  }

  /** Gathers the points of telnet lines from their bytes. */
  public TextPoints telnetPoints() {
    return new TextPoints(
        intake, seriesTable, check, text, ByteNumber.Width.EXACT, (of, time) -> true);
  }

  /** Gathers the points of JSON, as in HTTP, from its bytes. */
  public TextPoints jsonPoints() {
    return new TextPoints(
        intake, seriesTable, check, text, ByteNumber.Width.WIDE, (of, time) -> true);
  }

  /** Gathers points of another protocol. */
  public EncodedPoints encodedPoints(EncodedPoints.Protocol protocol) {
    return new EncodedPoints(this, intake, seriesTable, check, protocol);
  }

  /** Gathers the points of import lines that meet a condition, from their bytes. */
  TextPoints importPoints(TextPoints.Condition condition) {
    ByteNumber.Width decimals =
        text.exactImport() ? ByteNumber.Width.EXACT : ByteNumber.Width.NARROW;
    return new TextPoints(intake, seriesTable, check, text, decimals, condition);
  }

  /**
   * Writes the point of a telnet line: {@code put metric timestamp value tag=value …}. Decimals are
   * stored in 4 bytes if that is exact, else in 8. Throws as {@link #series} does.
   *
   * @param line without its end; a carriage return before it is dropped
   * @throws InvalidNumberException if timestamp or value is not a number
   * @throws RequestException if anything else in the line is wrong
   */
  public void putTelnetLine(String line, Receipt receipt, long token) {
    take(resolver.telnet(line), receipt, token);
  }

  /** Resolves the points of lines, which are not queued yet. */
  PointResolver resolver() {
    return resolver;
  }

  void take(ResolvedPoint point, Receipt receipt, long token) {
    intake.take(point.series(), point.timestamp(), point.value(), receipt, token);
  }

  /**
   * Writes a cell that is not a plain point verbatim: if several have one row and qualifier, the
   * last one is kept.
   *
   * @param family must exist in the store
   */
  public void putCell(
      Family family, byte[] row, byte[] qualifier, byte[] value, Receipt receipt, long token) {
    intake.take(
        new Work.Cells(
            family, new RowMutation(row, new Change.Put(qualifier, value)), receipt, token));
  }

  /**
   * Waits until all points accepted so far are stored or have failed, and dependent work is done
   * ({@link WrittenRows#await}).
   *
   * @throws UnsealedRowsException if rows of the head can't be written
   * @throws StoreException if that is unknown; accepted points are stored or have failed
   *     nevertheless
   */
  public void flush() {
    intake.flush();
  }

  /**
   * Waits until the threads have handled all points accepted so far, and have tried to seal the
   * rows that are due by the clock: until something else is accepted or the clock moves on, they
   * change nothing. For those who move the clock, such as tests; others need not wait for it.
   *
   * @throws java.util.concurrent.CompletionException if the writer is closed, or a thread failed
   */
  public void catchUp() {
    intake.catchUp();
  }

  /**
   * Passes the points that are accepted from now on to a mirror, too, until the writer is closed,
   * which closes the mirror.
   *
   * @throws IllegalStateException if there is one already
   */
  public void mirrorTo(PointMirror mirror) {
    intake.mirrorTo(mirror);
  }

  /** The mirror; null without one. */
  public @Nullable PointMirror mirror() {
    return intake.mirror();
  }

  /** The state of the writing threads, and their counts. */
  public WriterStats stats() {
    return intake.stats();
  }

  /** How many series are kept resolved by the text of lines or JSON. */
  public int knownSeries() {
    return seriesTable.size();
  }

  /** How often such a series was not kept, as there was no room. */
  public long leftOutSeries() {
    return seriesTable.leftOut();
  }

  /** The number of stored points, as in {@link #stats}; allocates nothing. */
  public long stored() {
    return intake.stored();
  }

  /** Drops the cached UIDs of series, after a name was renamed or deleted. */
  public void dropCaches() {
    seriesTable.clear();
  }

  /**
   * Writes all accepted points, then stops. Idempotent; later points are refused. Points not
   * written within {@link WriteOptions#closing} fail; if a call of the store takes longer, its
   * thread is interrupted.
   *
   * @throws IllegalStateException if called by one of the engine's threads, in a callback
   */
  @Override
  public void close() {
    intake.close();
  }
}
