package org.hourstone.mirror;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.DaemonSettings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.mirror.MirrorSender.Pauses;
import org.hourstone.write.PointMirror;
import org.jspecify.annotations.Nullable;

/**
 * The mirror of a database, if its settings name one: {@link DaemonSettings#MIRROR}. Points that
 * are accepted once it is open are queued until the database is closed, which closes the queue, and
 * sent from {@link #start} to {@link #close}. Thread-safe.
 */
public final class Mirror implements AutoCloseable {
  private final MirrorQueue queue;
  private final MirrorSender sender;

  private Mirror(MirrorQueue queue, MirrorSender sender) {
    this.queue = queue;
    this.sender = sender;
  }

  /**
   * Opens the mirror.
   *
   * @param settings of the database
   * @return null if they name none
   * @throws IllegalArgumentException if they are invalid, or the queue can't be opened
   */
  public static @Nullable Mirror open(Tsdb db, TsdbOptions settings) {
    return open(db, settings, Pauses.usual());
  }

  static @Nullable Mirror open(Tsdb db, TsdbOptions settings, Pauses pauses) {
    if (settings.get(DaemonSettings.MIRROR).isBlank()) {
      warnOfQueue(settings.get(DaemonSettings.MIRROR_DIRECTORY));
      return null;
    }
    MirrorTarget target = MirrorTarget.of(settings);
    MirrorQueue queue = queue(db, settings);
    MirroredSeries series = new MirroredSeries(db.seriesNames(), db.uids());
    return new Mirror(
        queue,
        new MirrorSender(
            queue, target, series, db.engine()::storeIdentity, settings.clock(), pauses));
  }

  /** As the setting of a server may be missing by mistake. */
  private static void warnOfQueue(String directory) {
    if (!directory.isBlank()) {
      MirrorQueue.LOG.log(
          Level.WARNING,
          "mirror: nothing is mirrored, since only "
              + DaemonSettings.MIRROR_DIRECTORY.key()
              + " is set: what "
              + directory
              + " has is not sent");
    }
  }

  /**
   * Checks the settings, as {@link #open} does, without opening anything.
   *
   * @throws IllegalArgumentException if they are invalid
   */
  public static void check(TsdbOptions settings) {
    if (!settings.get(DaemonSettings.MIRROR).isBlank()) {
      MirrorTarget unused = MirrorTarget.of(settings);
    }
  }

  /** That of an earlier server over the same database, or a new one. */
  private static MirrorQueue queue(Tsdb db, TsdbOptions settings) {
    PointMirror present = db.writer().mirror();
    if (present instanceof MirrorQueue open) {
      return open;
    }
    String directory = settings.get(DaemonSettings.MIRROR_DIRECTORY);
    MirrorQueue queue;
    try {
      queue =
          MirrorQueue.open(
              new MirrorQueue.Options(
                  Path.of(directory),
                  identity(db),
                  settings.get(DaemonSettings.MIRROR_BYTES),
                  settings.get(DaemonSettings.MIRROR_SYNC)),
              settings.clock());
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          DaemonSettings.MIRROR_DIRECTORY.key() + "=" + directory + ": can't be used: " + e, e);
    }
    db.writer().mirrorTo(queue);
    return queue;
  }

  /** The identity of the store; null if it can't say that now, as an HBase without a master. */
  private static @Nullable String identity(Tsdb db) {
    try {
      return db.engine().storeIdentity();
    } catch (RuntimeException e) {
      MirrorQueue.LOG.log(
          Level.WARNING,
          "mirror: the store can't say which one it is, so points that an earlier process has"
              + " queued are not sent before it can: "
              + e.getMessage());
      return null;
    }
  }

  /** Begins to send what is queued. */
  public void start() {
    sender.start();
  }

  /** Waits until all that was queued is sent or refused, for a time at most; whether it is. */
  public boolean awaitSent(Duration patience) throws InterruptedException {
    return queue.awaitSettled(patience.toMillis());
  }

  /** Its counters and gauges. */
  public List<Statistic> statistics() {
    List<Statistic> all = new ArrayList<>(queue.counts().statistics());
    all.add(of("mirror.failing", sender.isFailing() ? 1 : 0));
    all.add(of("mirror.queue.bytes", queue.unsettledBytes()));
    all.add(of("mirror.queue.limit_bytes", queue.mostBytes()));
    all.add(of("mirror.queue.age_seconds", sender.ageSeconds()));
    return all;
  }

  private static Statistic of(String metric, long value) {
    return new Statistic(metric, value, Map.of());
  }

  /** Sends no more; points are queued nevertheless as long as the database is open. */
  @Override
  public void close() {
    sender.close();
  }
}
