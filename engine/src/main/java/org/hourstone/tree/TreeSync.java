package org.hourstone.tree;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.FailureLog;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Places series in trees and stores their branches and leaves. Existing cells are not changed, so
 * syncing a series again has no effect.
 *
 * <p>The enabled trees are cached: a change in this process takes effect immediately, one by
 * another process within {@link #REMEMBERED_SECONDS} seconds. Thread-safe.
 */
public final class TreeSync {
  static final long REMEMBERED_SECONDS = 30;

  private record Remembered(List<Tree> trees, long changes, long untilSeconds) {}

  private final Trees trees;
  private final BranchWriter writer;
  private final InstantSource clock;
  private final LongAdder placed = new LongAdder();
  private final LongAdder unplaced = new LongAdder();
  private final FailureLog failures;
  private volatile @Nullable Remembered remembered;

  /**
   * @param family {@code tsdb-tree:t}
   * @param storesNotMatched whether series that a tree with strict match refuses are recorded
   */
  public TreeSync(
      KeyValueStore store,
      Family family,
      Trees trees,
      boolean storesNotMatched,
      InstantSource clock,
      Backoff backoff) {
    this.trees = trees;
    this.writer = new BranchWriter(store, family, backoff, storesNotMatched);
    this.clock = clock;
    this.failures =
        new FailureLog(
            "org.hourstone.tree",
            "points are stored, but not all of their series in trees",
            "series are sorted into trees again; \"uid treesync\" sorts those that are missing",
            clock);
  }

  /**
   * Adds a new series to every enabled tree. If adding to one tree fails, the series is still added
   * to the others. Failures are counted and logged, and a run of {@link #begin} repairs them.
   */
  public void sync(TreeSeries series) {
    try {
      enabled().forEach(tree -> sync(tree, series));
    } catch (StoreException | CorruptDataException e) {
      failed(series.tsuid(), e);
    }
  }

  private void sync(Tree tree, TreeSeries series) {
    try {
      (writer.write(new TreeBuilder(tree).place(series)) ? placed : unplaced).increment();
      failures.succeeded();
    } catch (StoreException | CorruptDataException | RequestException e) {
      failed(series.tsuid() + ", tree " + tree.id(), e);
    }
  }

  /** Counts and logs a new series that can't be synced because of an error in its own data. */
  public void failed(String tsuid, RuntimeException why) {
    failures.add("series " + tsuid + ": " + why.getMessage());
  }

  private List<Tree> enabled() {
    long now = clock.millis() / 1000;
    long changes = trees.changes();
    Remembered known = remembered;
    if (known == null || known.changes() != changes || known.untilSeconds() <= now) {
      known = new Remembered(loadEnabled(), changes, now + REMEMBERED_SECONDS);
      remembered = known;
    }
    return known.trees();
  }

  private List<Tree> loadEnabled() {
    return trees.all().stream().filter(tree -> tree.definition().enabled()).toList();
  }

  /**
   * Begins a sync of many series, such as all existing ones, with one tree or with all enabled
   * trees.
   *
   * @param treeId the tree, enabled or not; empty for all enabled trees
   * @throws org.hourstone.error.TsdbException if the tree does not exist
   */
  public TreeSyncRun begin(Optional<Integer> treeId) {
    return new TreeSyncRun(writer, chosen(treeId));
  }

  private List<Tree> chosen(Optional<Integer> treeId) {
    return treeId
        .map(id -> List.of(trees.get(id).orElseThrow(() -> Trees.noSuchTree(id))))
        .orElseGet(this::loadEnabled);
  }

  /** The numbers of new series that this process placed, did not place, or failed to add. */
  public TreeSyncStats stats() {
    return new TreeSyncStats(placed.sum(), unplaced.sum(), failures.count());
  }

  /** The reason why the last failed series could not be synced, or null. */
  public @Nullable String lastFailure() {
    return failures.last();
  }
}
