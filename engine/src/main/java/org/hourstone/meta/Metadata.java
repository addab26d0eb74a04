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
  private final MetaFailures failures = new MetaFailures();
  private final InstantSource clock;
  private final boolean realtimeUids;
  private final SeriesTracking tracking;
  private volatile Consumer<TsMeta> seriesListener = meta -> {};

  /**
   * @param uidNames the UID table's family of names, {@code tsdb-uid:name}
   * @param seriesMeta the meta table's, {@code tsdb-meta:name}
   * @param realtimeUids whether a UIDMeta is stored for each UID that is assigned ({@code
   *     tsd.core.meta.enable_realtime_uid})
   */
  public Metadata(
      KeyValueStore store,
      Family uidNames,
      Family seriesMeta,
      RowKey keys,
      TrackingMode mode,
      boolean realtimeUids,
      InstantSource clock,
      Backoff backoff) {
    this.names = new UidMetaTable(store, uidNames, backoff);
    this.series = new TsMetaTable(store, seriesMeta, keys, backoff);
    this.clock = clock;
    this.realtimeUids = realtimeUids;
    this.tracking =
        new SeriesTracking(
            mode, series, keys, clock, backoff, failures, meta -> seriesListener.accept(meta));
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

  /** A name got this UID. Never throws because of the store. */
  public void assigned(UidKind kind, byte[] uid) {
    if (!realtimeUids) {
      return;
    }
    try {
      names.create(kind, uid, clock.millis() / 1000);
    } catch (StoreException e) {
      failures.add("UIDMeta of " + kind.qualifier() + " " + UidText.format(uid), e);
    }
  }

  /**
   * Points were stored. Noted by a thread of its own; waits while too many series wait for that.
   * Never throws because of the store.
   *
   * @param rows of the data table that they are in
   * @param points how many in each
   */
  public void written(List<byte[]> rows, List<Integer> points) {
    tracking.written(rows, points);
  }

  /**
   * Whether the series of points are recorded as they are written: not if the settings say so, this
   * is closed, or the thread that does it has died, which is one of the {@link #failures}.
   */
  public boolean isTracking() {
    return tracking.isRunning();
  }

  /** Waits until all points {@link #written} so far are recorded, or the recording has failed. */
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
