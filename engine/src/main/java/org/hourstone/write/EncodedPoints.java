package org.hourstone.write;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.ShortText;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * Gathers points of another protocol, then sends them to the writer together. A series is known by
 * the bytes that denote it in that protocol, so a point of a known series costs neither an object
 * nor a name. The names of all unknown series are resolved together when the points are sent. The
 * points of a series, by whatever bytes it is denoted, are written in the order in which they were
 * added: from the first that has to wait for its series on, all others wait, too. For one thread.
 */
public final class EncodedPoints {
  /** Characters of a reason: there may be one for each few bytes of what was sent. */
  private static final int MOST_REASON = 500;

  private final PointWriter writer;
  private final SeriesTable table;
  private final PointCheck check;
  private final Protocol protocol;
  private final GatheredPoints gathered;

  /** Those with a point that waits until they are resolved, or that is refused. */
  private final Map<SeriesBytes, Waiting> waiting = new LinkedHashMap<>();

  /** The one that had a point last. */
  private @Nullable Waiting latest;

  private final DeferredPoints deferred = new DeferredPoints();
  private final SeriesBytes selected = new SeriesBytes();

  /** That of the selection; null if the series is not known. */
  private @Nullable Series known;

  /** Of the last selection that was known. */
  private @Nullable KnownText latestKnown;

  /** How the store has failed for one of the points that are being sent. */
  private @Nullable RuntimeException outage;

  /**
   * A protocol, as far as its bytes denote series: equal bytes of two protocols may denote two
   * series, so there is one object for all requests of one. Thread-safe.
   */
  public interface Protocol {
    /**
     * The names of the series that is denoted by two ranges of bytes, as they were selected.
     *
     * @throws RequestException if the series can't have a name; each of its points fails for that
     *     reason
     */
    SeriesName name(byte[] text, int from, int to, int from2, int to2);

    /**
     * As {@link #name}. What the names of both series have in common need not be read again, or be
     * in memory twice.
     *
     * @param sibling a series whose first range is the same
     */
    default SeriesName name(SeriesName sibling, byte[] text, int from, int to, int from2, int to2) {
      return name(text, from, to, from2, to2);
    }
  }

  /** A series of which points wait. */
  static final class Waiting {
    final SeriesBytes bytes;

    /** Null if it has none that is allowed. */
    @Nullable SeriesName name;

    /** Why it can't be resolved, such as for a name that is not allowed. */
    @Nullable RuntimeException fault;

    /** Null until it is resolved. */
    @Nullable Series series;

    Waiting(SeriesBytes bytes, @Nullable Series series) {
      this.bytes = bytes;
      this.series = series;
    }
  }

  EncodedPoints(
      PointWriter writer,
      PointIntake intake,
      SeriesTable table,
      PointCheck check,
      Protocol protocol) {
    this.writer = writer;
    this.table = table;
    this.check = check;
    this.protocol = protocol;
    this.gathered = new GatheredPoints(intake);
  }

  /** The number of points added since the last {@link #send}. */
  public int size() {
    return gathered.size() + deferred.size();
  }

  /** Makes room for a number of points, which are added next; for more, arrays have to grow. */
  public void expect(int points) {
    gathered.expect(points);
  }

  /**
   * Selects the series of the points that are added next, by two ranges of bytes: such as those of
   * a host and of one of its fields. Either may be empty.
   *
   * @param text not changed before the points are sent
   * @return whether the series is known, so that its name is valid
   */
  @CanIgnoreReturnValue
  public boolean select(byte[] text, int from, int to, int from2, int to2) {
    selected.set(text, from, to, from2, to2);
    KnownText found = table.known(latestKnown, protocol, text, from, to, from2, to2);
    if (found == null) {
      known = null;
      return false;
    }
    latestKnown = found;
    known = found.series;
    return true;
  }

  /**
   * Adds an integer to the selected series; it is stored in the fewest bytes.
   *
   * @param timestamp seconds if it fits 32 bits, else milliseconds; one out of range is refused
   *     when the points are sent
   * @param token passed to the receipt with the outcome
   */
  public void add(long timestamp, long value, long token) {
    add(timestamp, Value.flagsOf(value), value, token);
  }

  /**
   * As {@link #add(long, long, long)}, for a decimal; it is stored in 4 bytes if that is exact,
   * else in 8. NaN and infinity are refused when the points are sent.
   */
  public void add(long timestamp, double value, long token) {
    float narrow = (float) value;
    if (narrow == value) {
      add(timestamp, Value.FLOAT_FLAGS, Value.rawOf(narrow), token);
    } else {
      add(timestamp, Value.DOUBLE_FLAGS, Value.rawOf(value), token);
    }
  }

  private void add(long timestamp, int flags, long raw, long token) {
    Series series = known;
    boolean isValid = check.passes(timestamp) && PointValue.isFinite(flags, raw);
    if (series == null || !isValid) {
      deferred.add(series, waiting(series), timestamp, flags, raw, token);
    } else if (deferred.size() == 0) {
      gathered.add(series, timestamp, flags, raw, token);
    } else {
      deferred.add(series, null, timestamp, flags, raw, token);
    }
  }

  private Waiting waiting(@Nullable Series series) {
    Waiting last = latest;
    if (last != null && last.bytes.isSame(selected)) {
      return last;
    }
    Waiting found = waiting.get(selected);
    if (found == null) {
      found = new Waiting(selected.copy(), series);
      name(found);
      waiting.put(found.bytes, found);
    }
    latest = found;
    return found;
  }

  private void name(Waiting added) {
    SeriesBytes of = added.bytes;
    Waiting last = latest;
    SeriesName sibling = last != null && last.bytes.beginsAs(of) ? last.name : null;
    try {
      SeriesName name =
          sibling == null
              ? protocol.name(of.text, of.from, of.to, of.from2, of.to2)
              : protocol.name(sibling, of.text, of.from, of.to, of.from2, of.to2);
      int tags = name.tags().size();
      if (tags > table.mostTags()) {
        throw tooManyTags(tags, table.mostTags());
      }
      table.checkNames(name.metric(), name.tags());
      added.name = name;
    } catch (RequestException e) {
      added.fault = shortened(e);
    }
  }

  private static RequestException shortened(RequestException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.length() <= MOST_REASON
        ? e
        : new RequestException(ShortText.of(reason, MOST_REASON));
  }

  /** The exception for a series with more tags than are allowed; it says by which setting. */
  public static RequestException tooManyTags(int tags, int most) {
    return new RequestException(
        tags + " tags, more than the " + most + " that tsd.storage.max_tags allows");
  }

  /**
   * Sends the points to the writer, and empties this. Waits while the store is slow. The receipt
   * receives the outcome of each point with its token, also if it is refused.
   *
   * @param receipt not a {@link FutureReceipt}, which is for one point
   */
  public void send(Receipt receipt) {
    resolve();
    for (int i = 0; i < deferred.size(); i++) {
      Waiting of = deferred.waiting(i);
      Series series = of == null ? deferred.series(i) : of.series;
      if (series != null && deferred.isValid(i, check)) {
        deferred.addTo(gathered, series, i);
      } else {
        put(Objects.requireNonNull(of), i, receipt);
      }
    }
    waiting.clear();
    outage = null;
    latest = null;
    deferred.clear();
    gathered.send(receipt);
  }

  /** Resolves the names of those that have valid ones; faults are reported with their points. */
  private void resolve() {
    List<Waiting> unresolved = new ArrayList<>();
    List<SeriesName> names = new ArrayList<>();
    for (Waiting each : waiting.values()) {
      SeriesName name = each.name;
      if (name != null && each.fault == null && each.series == null) {
        unresolved.add(each);
        names.add(name);
      }
    }
    List<@Nullable Series> resolved = table.resolveAll(names);
    for (int i = 0; i < resolved.size(); i++) {
      Waiting each = unresolved.get(i);
      Series series = resolved.get(i);
      each.series = series;
      if (series != null) {
        SeriesBytes of = each.bytes;
        table.remember(protocol, of.text, of.from, of.to, of.from2, of.to2, series);
      }
    }
  }

  /**
   * Puts a point by itself, which mostly fails, with the reason. That is the one of all points of
   * its series, or of all that are put if the store has failed: a call for a name may take long
   * then.
   */
  private void put(Waiting of, int i, Receipt receipt) {
    long token = deferred.token(i);
    RuntimeException fault = of.fault == null ? outage : of.fault;
    if (fault == null && !deferred.isValid(i, check)) {
      SeriesName name = Objects.requireNonNull(of.name);
      fault =
          shortened(
              check.failure(name.metric(), name.tags(), deferred.timestamp(i), deferred.value(i)));
    } else if (fault == null) {
      fault = putValid(of, i, receipt);
      of.fault = fault;
      outage = isOfStore(fault) ? fault : null;
    }
    if (fault != null) {
      Receipts.tell(receipt, token, fault);
    }
  }

  /** Returns why the point was not put; null if it was. */
  private @Nullable RuntimeException putValid(Waiting of, int i, Receipt receipt) {
    SeriesName name = Objects.requireNonNull(of.name);
    try {
      writer.put(
          name.metric(),
          name.tags(),
          deferred.timestamp(i),
          deferred.value(i),
          receipt,
          deferred.token(i));
      return null;
    } catch (RuntimeException e) {
      return e;
    } catch (OutOfMemoryError e) {
      return PointIntake.outOfMemory(e);
    }
  }

  private static boolean isOfStore(@Nullable RuntimeException e) {
    return e instanceof StoreException
        || (e instanceof TsdbException known && known.category() == TsdbException.Category.STORE);
  }
}
