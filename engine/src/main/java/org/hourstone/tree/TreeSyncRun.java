package org.hourstone.tree;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;

/** A tree sync of many series, one after the other. For one thread. */
public final class TreeSyncRun {
  private static final int FAILURES_TOLD = 20;

  private final BranchWriter writer;
  private final List<TreeBuilder> builders = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long series;
  private long placed;
  private long unplaced;
  private long failed;

  TreeSyncRun(BranchWriter writer, List<Tree> trees) {
    this.writer = writer;
    for (Tree tree : trees) {
      try {
        builders.add(new TreeBuilder(tree));
      } catch (RequestException e) {
        fail("tree " + tree.id() + ": " + e.getMessage());
      }
    }
  }

  /**
   * Adds a series to each of the trees.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; the run may be restarted
   */
  public void sync(TreeSeries added) {
    series++;
    for (TreeBuilder builder : builders) {
      try {
        if (writer.write(builder.place(added))) {
          placed++;
        } else {
          unplaced++;
        }
      } catch (CorruptDataException | RequestException e) {
        fail("series " + added.tsuid() + ", tree " + builder.tree().id() + ": " + e.getMessage());
      }
    }
  }

  /** Counts a series that can't be synced because of an error in its own data. */
  public void failed(String tsuid, RuntimeException why) {
    series++;
    fail("series " + tsuid + ": " + why.getMessage());
  }

  private void fail(String why) {
    failed++;
    if (failures.size() < FAILURES_TOLD) {
      failures.add(why);
    }
  }

  /** The results for the series so far. */
  public TreeSyncReport report() {
    return new TreeSyncReport(series, placed, unplaced, failed, failures);
  }
}
