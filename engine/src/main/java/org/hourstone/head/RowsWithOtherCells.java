package org.hourstone.head;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;

/**
 * Finds the rows of the journal whose points are or will be in several cells. Of a row that was
 * open when its hour ended there are others if it was sealed early before: then it was among these,
 * unless the database was opened since, which is read from the store. Appended points are always
 * compacted.
 *
 * @param head of the rows
 */
record RowsWithOtherCells(HeadParts head) {
  Set<OpenRow> among(List<? extends Sealable> batch) {
    long now = head.clock().millis();
    Set<OpenRow> shared = new HashSet<>();
    List<OpenRow> late = new ArrayList<>();
    for (Sealable each : batch) {
      if (each.waiting() == null && each instanceof OpenRow row) {
        if (now < row.dueByHour() || head.options().cells().form() == CellForm.APPENDED) {
          shared.add(row);
        } else if (row.openedAt() >= row.dueByHour() || head.beganLater(row)) {
          late.add(row);
        }
      }
    }
    try {
      List<byte[]> keys = Lists.newArrayList(Lists.transform(late, OpenRow::key));
      List<Row> stored =
          late.isEmpty() ? List.of() : head.store().get(head.points(), keys, Columns.all());
      for (int i = 0; i < stored.size(); i++) {
        if (!stored.get(i).isEmpty()) {
          shared.add(late.get(i));
        }
      }
    } catch (StoreException e) {
      shared.addAll(late); // compaction finds out
    }
    return shared;
  }
}
