package org.hourstone;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.codec.RowKey;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.Head;
import org.hourstone.head.WriterOptions;
import org.hourstone.head.WrittenRows;
import org.hourstone.index.SeriesRemoval;
import org.hourstone.internal.Deadline;
import org.hourstone.meta.TrackingMode;
import org.hourstone.rewrite.CompactionThread;
import org.hourstone.write.Admission;
import org.hourstone.write.HistogramWriter;
import org.hourstone.write.LineParser;
import org.hourstone.write.PointCheck;
import org.hourstone.write.PointWriter;
import org.hourstone.write.RollupWriter;
import org.hourstone.write.TextOptions;
import org.hourstone.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/**
 * How points get into a store: the ownership of the store, the open rows, the writers, and the
 * thread that compacts what they have written. The threads of the writers begin with {@link
 * #start}, and all ends with the steps of {@link #closing}.
 *
 * @param head the rows that points go to first
 * @param acknowledgement when points are acknowledged, unless another database has been opened over
 *     the store since
 * @param showsJournal whether the store is read-only, and has a journal, which is shown
 * @param lease of a writer's journal, while it is renewed
 * @param ownership null if other processes use the store, or it is read-only
 */
record EngineWriting(
    Head head,
    Acknowledgement acknowledgement,
    boolean showsJournal,
    @Nullable StoreOwnership ownership,
    PointWriter points,
    RollupWriter rollups,
    HistogramWriter histograms,
    @Nullable CompactionThread compacting,
    SeriesRemoval removal,
    TsdbOptions options,
    AtomicReference<@Nullable WriterLease> lease) {

  /** Opens the journal, if there is one; if that fails, what was opened is closed. */
  static EngineWriting open(
      EngineStore opened,
      HeadOpening opening,
      EngineNames names,
      EngineCompaction compaction,
      Admission admission) {
    StoreOwnership ownership = opened.join();
    try {
      WrittenRows written =
          new WrittenRowsListener(
              compaction.queueOfWritten(),
              names.metadata(),
              opened.parts().tracking() != TrackingMode.OFF);
      Acknowledgement acknowledgement = opening.open(ownership, written);
      opened.record().recordSettings();
      return connect(
          opened, opening, names, compaction, admission, ownership, acknowledgement, written);
    } catch (RuntimeException | Error e) {
      try {
        ClosingSteps.run(List.of(opening.head()::close, () -> end(ownership)));
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  private static EngineWriting connect(
      EngineStore opened,
      HeadOpening opening,
      EngineNames names,
      EngineCompaction compaction,
      Admission admission,
      @Nullable StoreOwnership ownership,
      Acknowledgement acknowledgement,
      WrittenRows written) {
    TsdbOptions options = opened.options();
    EngineOptions parts = opened.parts();
    RowKey keys = opened.keys();
    WriteOptions writing = parts.writing();
    TextOptions text = parts.text();
    boolean alone = ownership != null && ownership.isOwner();
    int threads = writing.batching().threads();
    PointWriter points =
        new PointWriter(
            options.tables().points(),
            keys,
            names.uids(),
            options.nameRules(),
            writing,
            text,
            options.clock(),
            admission,
            written,
            opening.head().shards(acknowledgement, threads, alone, written));
    LineParser parser = new LineParser(text.lines(), text.zone());
    return new EngineWriting(
        opening.head(),
        acknowledgement,
        opening.showsJournal(),
        ownership,
        points,
        new RollupWriter(
            points, keys, options.rollupConfig(), parts.rollupWriting(opened.plan()), parser),
        new HistogramWriter(
            points,
            options.tables().points(),
            keys,
            opened.histograms(),
            parser,
            options.isStrict(StrictSubject.POINTS),
            PointCheck.ofAnyTime(text.wrapBaseTime())),
        compaction.start(),
        opened.index().removal(),
        options,
        new AtomicReference<>());
  }

  /**
   * @param writer that has the journal; null if it is not that of one
   */
  void start(@Nullable WriterOptions writer) {
    points.start();
    if (writer != null) {
      lease.set(new WriterLease(head, writer));
    }
    if (ownership != null) {
      if (ownership.isOwner()) {
        removal.allow();
      }
      ownership.opened(this::retire);
    }
  }

  /**
   * Another database is being opened over the store: neither must hide points from the other, or
   * undo what the other has written.
   */
  private void retire() {
    removal.forbid();
    head.retire();
    if (head.stopAppending() || acknowledgement == Acknowledgement.JOURNAL) {
      points.flush();
    }
  }

  /** The steps that end the threads, after which no other point is written. */
  List<Runnable> closing(EngineNames names) {
    Deadline deadline =
        Deadline.in(options.get(MemorySettings.WRITE_CLOSE).toMillis(), options.clock());
    return List.of(
        points::close,
        this::endLease,
        head::close,
        () -> names.metadata().close(deadline),
        () -> {
          if (compacting != null) {
            compacting.close(deadline, options.clock());
          }
        },
        () -> end(ownership));
  }

  private void endLease() {
    WriterLease held = lease.getAndSet(null);
    if (held != null) {
      held.close();
    }
  }

  private static void end(@Nullable StoreOwnership ownership) {
    if (ownership != null) {
      ownership.close();
    }
  }
}
