package org.hourstone.testing.golden;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;

/**
 * A store in which deletions leave markers, as they do in HBase: a put into a deleted cell stays
 * hidden if it is dated before the deletion. For one thread at a time, and puts dated in the past.
 */
final class DeleteMarkers extends ForwardingStore {
  private static final HexFormat HEX = HexFormat.of();

  private final Set<String> markers = new HashSet<>();
  private final List<GoldenCell> hidden = new ArrayList<>();

  DeleteMarkers(KeyValueStore delegate) {
    super(delegate);
  }

  /** The cells that were put and can't be seen. */
  synchronized List<GoldenCell> hidden() {
    return List.copyOf(hidden);
  }

  @Override
  public synchronized void mutate(Family family, List<RowMutation> batch) {
    List<RowMutation> visible = new ArrayList<>();
    for (RowMutation mutation : batch) {
      List<Change> changes = new ArrayList<>();
      for (Change change : mutation.changes()) {
        if (change instanceof Change.Delete) {
          markers.add(place(family, mutation.row(), change.qualifier()));
        }
        if (change instanceof Change.PutIfNewer put && isHidden(family, mutation.row(), put)) {
          hide(family, mutation.row(), put);
        } else {
          changes.add(change);
        }
      }
      if (!changes.isEmpty()) {
        visible.add(new RowMutation(mutation.row(), changes));
      }
    }
    if (!visible.isEmpty()) {
      super.mutate(family, visible);
    }
  }

  @Override
  public synchronized boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    if (!super.replaceCells(family, observed, replacement)) {
      return false;
    }
    for (int i = 0; i < observed.size(); i++) {
      byte[] qualifier = observed.qualifier(i);
      if (replacement.stream().noneMatch(cell -> Arrays.equals(cell.qualifier(), qualifier))) {
        markers.add(place(family, observed.key(), qualifier));
      }
    }
    return true;
  }

  private boolean isHidden(Family family, byte[] row, Change.PutIfNewer put) {
    return markers.contains(place(family, row, put.qualifier()));
  }

  private void hide(Family family, byte[] row, Change.PutIfNewer put) {
    hidden.add(
        new GoldenCell(
            family.table(),
            HEX.formatHex(row),
            family.name(),
            HEX.formatHex(put.qualifier()),
            HEX.formatHex(put.value()),
            RunClock.maskMillis(put.writeTime())));
  }

  private static String place(Family family, byte[] row, byte[] qualifier) {
    return family + " " + HEX.formatHex(row) + " " + HEX.formatHex(qualifier);
  }
}
