package org.hourstone;

import org.hourstone.head.Writers;
import org.hourstone.query.rows.RowListener;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rewrite.CompactionQueue;
import org.hourstone.rewrite.CompactionThread;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.SealedUntil;
import org.jspecify.annotations.Nullable;

/**
 * The compaction of rows that were written or read.
 *
 * @param ofWritten whether rows are compacted after they were written to; rows of append cells need
 *     not be
 */
record EngineCompaction(
    RowCompactor compactor, CompactionQueue queue, boolean ofWritten, TsdbOptions options) {

  /**
   * @param writers whose journals may have points of the rows
   */
  static EngineCompaction of(EngineStore opened, Writers writers) {
    TsdbOptions options = opened.options();
    CompactionOptions compaction = opened.parts().compaction();
    RowCompactor compactor =
        new RowCompactor(
            opened.preserving(),
            options.tables().points(),
            opened.keys(),
            compaction,
            options.clock(),
            opened.shared()
                ? SealedUntil.of(writers::sealedUntil, options.clock())
                : SealedUntil.always());
    CompactionQueue queue =
        new CompactionQueue(
            compactor,
            options.clock(),
            opened.parts().compactionQueue(),
            options.get(Settings.COMPACTION_SPREAD));
    boolean ofWritten =
        options.get(Settings.ENABLE_COMPACTION)
            && (!options.get(Settings.ENABLE_APPENDS) || compaction.appends() == Appends.MERGED);
    return new EngineCompaction(compactor, queue, ofWritten, options);
  }

  /** The queue of rows that were written; null if they are not compacted. */
  @Nullable CompactionQueue queueOfWritten() {
    return ofWritten ? queue : null;
  }

  /** Starts a thread that compacts rows, unless none are or a program does it. */
  @Nullable CompactionThread start() {
    return ofWritten && options.get(Settings.COMPACTION_BACKGROUND)
        ? CompactionThread.start(queue, options.get(Settings.COMPACTION_RATE))
        : null;
  }

  /** Is notified of rows that were read, which OpenTSDB rewrites. */
  RowListener ofRead() {
    if (options.isStrict(StrictSubject.ROWS) && options.get(Settings.ENABLE_COMPACTION)) {
      return queue::compactRead; // repairs appends, too, if that is enabled
    }
    if (options.isStrict(StrictSubject.ROWS) && options.get(Settings.REPAIR_APPENDS)) {
      return queue::repairRead;
    }
    return row -> {};
  }
}
