package org.hourstone.meta;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.UidKind;

/** The metadata of a database, and its recording as points are written. Thread-safe. */
public final class Metadata {
  private final UidMetaTable names;
  private final TsMetaTable series;

  /** Records what belongs to points and names that were accepted. */
  private final UidMetaTable recordedNames;

  private final MetaFailures failures;
  private final InstantSource clock;
  private final boolean realtimeUids;
  private final SeriesTracking tracking;
  private volatile Consumer<TsMeta> seriesListener = meta -> {};

  /**
   * @param uidNames the UID table's family of names, {@code tsdb-uid:name}
   * @param seriesMeta the meta table's family, {@code tsdb-meta:name}
   * @param admission throws if nothing new is accepted; what belongs to accepted points is recorded
   *     all the same
   * @param realtimeUids whether a UIDMeta is stored for each UID that is assigned ({@code
   *     tsd.core.meta.enable_realtime_uid})
   */
  public Metadata(
      KeyValueStore store,
      Family uidNames,
      Family seriesMeta,
      RowKey keys,
      Runnable admission,
      TrackingMode mode,
      boolean realtimeUids,
      InstantSource clock,
      Backoff backoff) {
    this.names = new UidMetaTable(store, uidNames, admission, backoff);
    this.series = new TsMetaTable(store, seriesMeta, keys, admission, backoff);
    this.recordedNames = new UidMetaTable(store, uidNames, () -> {}, backoff);
    this.clock = clock;
    this.failures = new MetaFailures(clock);
    this.realtimeUids = realtimeUids;
    this.tracking =
        new SeriesTracking(
            mode,
            new TsMetaTable(store, seriesMeta, keys, () -> {}, backoff),
            keys,
            clock,
            backoff,
            failures,
            meta -> seriesListener.accept(meta));
  }

  /** The metadata of metrics, tag names and tag values. */
  public UidMetaTable names() {
    return names;
  }

  /** The metadata of series. */
  public TsMetaTable series() {
    return series;
  }

  /** The failures to record metadata. */
  public MetaFailures failures() {
    return failures;
  }

  /**
   * Registers a listener for every TSMeta that is created because of a point. Its exceptions count
   * as failures of metadata.
   */
  public void onNewSeries(Consumer<TsMeta> listener) {
    seriesListener = listener;
  }

  /** Called when a name got this UID. Never throws if the store fails. */
  public void assigned(UidKind kind, byte[] uid) {
    if (!realtimeUids) {
      return;
    }
    try {
      recordedNames.create(kind, uid, clock.millis() / 1000);
      failures.succeeded();
    } catch (StoreException e) {
      failures.add("UIDMeta of " + kind.qualifier() + " " + UidText.format(uid), e);
    }
  }

  /**
   * Called when points were stored. A separate thread records them; this waits while too many
   * series wait to be recorded. Never throws if the store fails.
   *
   * @param rows the rows of the data table that contain the points
   * @param points the number of points in each row
   */
  public void written(List<byte[]> rows, List<Integer> points) {
    tracking.written(rows, points);
  }

  /**
   * Whether the series of points are recorded when points are written. False if the settings
   * disable it, this is closed, or the recording thread has died; its death is counted in the
   * {@link #failures}.
   */
  public boolean isTracking() {
    return tracking.isRunning();
  }

  /** Waits until all points {@link #written} so far are recorded or their recording has failed. */
  public void await() {
    tracking.await();
  }

  /**
   * Records all points written so far, and ends the recording thread. Points not recorded by the
   * deadline count as a failure.
   */
  public void close(Deadline deadline) {
    tracking.close(deadline);
  }
}
