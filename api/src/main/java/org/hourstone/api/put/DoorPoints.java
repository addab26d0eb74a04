package org.hourstone.api.put;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.Refusals;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;
import org.hourstone.write.HistogramWriter;

/**
 * The points of one request of another protocol, written in blocks while its body is parsed: those
 * of one block are stored, or known not to be, before the next begins, so no more than a block is
 * in memory. Each point that is not stored is counted by its reason, and traced in the log. For one
 * thread.
 */
public final class DoorPoints {
  /** How many points are written together, at most. */
  static final int BLOCK = 8192;

  /** How many buckets of histograms are written together, but for those of the last. */
  private static final int MOST_BUCKETS = 16_384;

  private static final int FIRST_CAPACITY = 64;

  /** How much of what can't be read is in the log. */
  private static final int LOGGED_BYTES = 512;

  private final EncodedPoints.Protocol protocol;
  private final EncodedPoints points;
  private final HistogramWriter histogramWriter;
  private final OptionalInt histogramCodec;
  private final PutTotals totals;
  private final PointOrigins origins = new PointOrigins();
  private long[] times = new long[FIRST_CAPACITY];

  /** Which item each point of the block is of. */
  private int[] itemOf = new int[FIRST_CAPACITY];

  private int item;
  private int latestRefused;
  private long refusedItems;

  /** The number of points in the block. */
  private int size;

  /** Points of the block that are refused before they are put. */
  private final List<Refused> refused = new ArrayList<>();

  private record Refused(int point, String why) {}

  /** Those of the block. */
  private final List<HistogramPoint> histograms = new ArrayList<>();

  private int buckets;

  private record HistogramPoint(int point, long timestamp, SimpleHistogram value) {}

  /**
   * What became of the points of a request.
   *
   * @param reasons why points were refused: the first few, each once, with the first {@linkplain
   *     #line line} for it
   * @param isWorthRepeating whether points that are not stored may be if they are sent again: the
   *     store or the server has failed
   * @param status that of a response which says that points were refused
   */
  public record Outcome(
      long stored, long refused, List<String> reasons, boolean isWorthRepeating, int status) {}

  /**
   * @param protocol one object for all requests of it
   * @param client the sender, for the log
   */
  public DoorPoints(
      Tsdb db,
      EncodedPoints.Protocol protocol,
      Refusals refusals,
      ErrorDialect dialect,
      String client) {
    this.protocol = protocol;
    this.points = db.writer().encodedPoints(protocol);
    this.histogramWriter = db.histograms();
    this.histogramCodec = histogramWriter.codecs().simple();
    this.totals = new PutTotals(refusals, dialect, client);
  }

  /** Makes room for about this number of points, each of another series; may be called first. */
  public void expect(int expected) {
    int capacity = Math.max(FIRST_CAPACITY, Math.min(BLOCK, expected));
    points.expect(capacity);
    origins.expect(capacity);
    times = new long[capacity];
    itemOf = new int[capacity];
  }

  /**
   * The points that are added or refused next are in this line of the body, which reasons name.
   *
   * @param number from 1; 0 if the body has no lines
   */
  public void line(int number) {
    origins.line(number);
  }

  /**
   * Selects the series of the points that are added next, as {@link EncodedPoints#select} does.
   *
   * @param text not changed before the next {@link #flush}
   * @return whether the series is known, so that its name is valid
   */
  @CanIgnoreReturnValue
  public boolean select(byte[] text, int from, int to, int from2, int to2) {
    origins.select(text, from, to, from2, to2);
    return points.select(text, from, to, from2, to2);
  }

  /** The points that are added next are of another item of the protocol, which may have several. */
  public void beginItem() {
    item++;
  }

  /** Adds an integer to the selected series. May write a block, and then waits for the store. */
  public void add(long millis, long value) {
    if (isStorable(millis)) {
      points.add(timestamp(millis), value, next(millis));
    }
    flushIfFull();
  }

  /**
   * As {@link #add(long, long)}, for a decimal; NaN and infinity are refused. It is stored in 4
   * bytes if that is exact, else in 8.
   */
  public void add(long millis, double value) {
    if (isStorable(millis)) {
      points.add(timestamp(millis), value, next(millis));
    }
    flushIfFull();
  }

  /** Whether histograms can be stored: OpenTSDB's codec of them is configured. */
  public boolean takesHistograms() {
    return histogramCodec.isPresent();
  }

  /** As {@link #add(long, long)}, for a histogram, if they {@linkplain #takesHistograms can be}. */
  public void add(long millis, SimpleHistogram value) {
    if (isStorable(millis)) {
      histograms.add(new HistogramPoint(next(millis), timestamp(millis), value));
      buckets += value.buckets().size();
    }
    flushIfFull();
  }

  /** Refuses a point of the selected series. */
  public void refuse(long millis, String why) {
    refused.add(new Refused(next(millis), why));
    flushIfFull();
  }

  /**
   * Refuses what can't be read as a point; then no series is selected.
   *
   * @param text its begin is in the log; not changed before the next {@link #flush}
   */
  public void refuse(byte[] text, int from, int to, String why) {
    origins.unreadable(text, from, Math.min(to, from + LOGGED_BYTES));
    refuse(0, why);
  }

  private boolean isStorable(long millis) {
    boolean isEarly = millis <= 0 || !(isWholeSecond(millis) || Timestamps.isMillis(millis));
    boolean isLate = millis / 1000 > Timestamps.MAX_SECONDS;
    if (isEarly || isLate) {
      String why =
          isLate
              ? "after the year 2106"
              : "not after the start of 1970, or not a whole second before 20 February 1970";
      refused.add(
          new Refused(next(millis), "the time " + millis + " ms can't be stored: it is " + why));
    }
    return !isEarly && !isLate;
  }

  private static boolean isWholeSecond(long millis) {
    return millis % 1000 == 0 && millis / 1000 <= Timestamps.MAX_SECONDS;
  }

  /** Whole seconds are stored as seconds, which takes 2 bytes less. */
  private static long timestamp(long millis) {
    return isWholeSecond(millis) ? millis / 1000 : millis;
  }

  private int next(long millis) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      itemOf = Arrays.copyOf(itemOf, 2 * size);
    }
    times[size] = millis;
    itemOf[size] = item;
    origins.add(size);
    return size++;
  }

  private void flushIfFull() {
    if (size == BLOCK || buckets > MOST_BUCKETS) {
      flush();
      if (origins.isSeries()) {
        points.select(origins.text(), origins.from(), origins.to(), origins.from2(), origins.to2());
      }
    }
  }

  /**
   * Writes the points that were added, and waits until they are stored or have failed; a series has
   * to be selected for those that are added later.
   *
   * @throws ApiException if the thread is interrupted
   */
  public void flush() {
    Block block = new Block(new PutReceipts(size));
    refused.forEach(each -> block.receipts.refused(each.point, each.why));
    points.send(block.receipts);
    histograms.forEach(each -> put(each, block.receipts));
    block.receipts.await(0);
    totals.add(block);
    countItems(block.receipts);
    refused.clear();
    histograms.clear();
    buckets = 0;
    size = 0;
    origins.clear();
  }

  private void put(HistogramPoint histogram, PutReceipts receipts) {
    PointOrigins.Origin of = origins.of(histogram.point);
    try {
      SeriesName name = protocol.name(of.text(), of.from(), of.to(), of.from2(), of.to2());
      histogramWriter.put(
          histogramCodec.orElseThrow(),
          name.metric(),
          name.tags(),
          histogram.timestamp,
          histogram.value,
          receipts,
          histogram.point);
    } catch (RuntimeException e) {
      receipts.failed(histogram.point, e);
    }
  }

  private void countItems(PutReceipts receipts) {
    for (int i = 0; receipts.anyError() && i < size; i++) {
      if (receipts.refusal(i) != null && itemOf[i] != latestRefused) {
        latestRefused = itemOf[i];
        refusedItems++;
      }
    }
  }

  /** The number of items of which a point was not stored. */
  public long refusedItems() {
    return refusedItems;
  }

  /** Whether some points must be sent again: then it is of no use to add the rest of a request. */
  public boolean hasFailed() {
    return totals.areWorthRepeating();
  }

  /** Writes what is left; nothing may be added later. */
  public Outcome end() {
    flush();
    return new Outcome(
        totals.points() - totals.errors(),
        totals.errors(),
        totals.examples(),
        totals.areWorthRepeating(),
        totals.status(ApiException.BAD_REQUEST));
  }

  /** The points of one block. */
  private final class Block implements WrittenPoints {
    private final PutReceipts receipts;

    Block(PutReceipts receipts) {
      this.receipts = receipts;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public PutReceipts receipts() {
      return receipts;
    }

    @Override
    public int line(int i) {
      return origins.lineOf(i);
    }

    @Override
    public String text(int i) {
      PointOrigins.Origin of = origins.of(i);
      if (!of.isSeries()) {
        return new String(of.text(), of.from(), of.to() - of.from(), StandardCharsets.UTF_8);
      }
      try {
        SeriesName name = protocol.name(of.text(), of.from(), of.to(), of.from2(), of.to2());
        return String.format(Locale.ROOT, "%s at %d ms", name, times[i]);
      } catch (RequestException e) {
        return "at " + times[i] + " ms";
      }
    }
  }
}
