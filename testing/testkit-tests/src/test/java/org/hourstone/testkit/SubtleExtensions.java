package org.hourstone.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checkpoints;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Reclamation;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/** Checkpoints and reclamation of a store in memory, sound but for one fault. */
final class SubtleExtensions implements Checkpoints, Reclamation {
  private final ModelStore model;
  private final SubtleFault fault;
  private final InstantSource clock;
  private final Map<Path, KeyValueStore> copies;

  SubtleExtensions(
      ModelStore model, SubtleFault fault, InstantSource clock, Map<Path, KeyValueStore> copies) {
    this.model = model;
    this.fault = fault;
    this.clock = clock;
    this.copies = copies;
  }

  @Override
  public void create(Path target) {
    boolean taken = Files.exists(target) && fault != SubtleFault.CHECKPOINT_INTO_EMPTY_DIRECTORY;
    if (taken || copies.containsKey(target)) {
      throw new StoreException(
          StoreException.Outcome.REJECTED, target.getFileName() + " exists already");
    }
    ModelStore copy = new ModelStore(clock);
    if (fault == SubtleFault.CHECKPOINT_IN_PAGES) {
      copyInto(copy);
    } else {
      synchronized (model) {
        copyInto(copy);
      }
    }
    copies.put(target, copy);
  }

  private void copyInto(ModelStore copy) {
    List<Family> families = model.families();
    copy.ensure(
        families.stream().map(each -> new FamilySpec(each, true)).toList(), SchemaMode.CREATE);
    for (Family family : families) {
      if (fault == SubtleFault.CHECKPOINT_ONE_FAMILY && !family.equals(families.get(0))) {
        continue;
      }
      List<Row> first = rows(family, Scan.all().limit(1));
      if (fault == SubtleFault.CHECKPOINT_IN_PAGES && !first.isEmpty()) {
        restore(copy, family, first.get(0));
        LockSupport.parkNanos(20_000_000); // others write before the second page is read
      }
      for (Row row : rows(family, Scan.all())) {
        if (first.isEmpty()
            || fault != SubtleFault.CHECKPOINT_IN_PAGES
            || !java.util.Arrays.equals(row.key(), first.get(0).key())) {
          restore(copy, family, row);
        }
      }
    }
  }

  private void restore(ModelStore copy, Family family, Row row) {
    if (fault == SubtleFault.CHECKPOINT_TIMES_NOW) {
      for (int i = 0; i < row.size(); i++) {
        copy.put(family, row.key(), row.qualifier(i), row.value(i));
      }
    } else {
      copy.restore(family, row, model.lastTime());
    }
  }

  private List<Row> rows(Family family, Scan scan) {
    return StoreContract.rows(model, family, scan);
  }

  @Override
  public void reclaim(Family family, byte[] start, byte @Nullable [] stop) {
    switch (fault) {
      case RECLAIM_LOSES_CONCURRENT_WRITES -> {
        int before = rows(family, Scan.range(start, stop)).size();
        LockSupport.parkNanos(20_000_000);
        List<Row> now = rows(family, Scan.range(start, stop));
        now.subList(Math.min(before, now.size()), now.size()).forEach(row -> delete(family, row));
      }
      case RECLAIM_NOT_ATOMIC -> {
        for (Row row : rows(family, Scan.range(start, stop).limit(500))) {
          delete(family, row);
          LockSupport.parkNanos(1_000);
          model.restore(family, row, model.lastTime());
        }
      }
      case RECLAIM_DROPS_EMPTY_VALUES -> {
        try (RowCursor cursor = model.scan(family, Scan.range(start, stop))) {
          for (Row row = cursor.next(); row != null; row = cursor.next()) {
            List<Change> deletions = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
              if (row.value(i).length == 0) {
                deletions.add(new Change.Delete(row.qualifier(i)));
              }
            }
            if (!deletions.isEmpty()) {
              model.mutate(family, List.of(new RowMutation(row.key(), deletions)));
            }
          }
        }
      }
      default -> {}
    }
  }

  private void delete(Family family, Row row) {
    model.mutate(family, List.of(new RowMutation(row.key(), new Change.DeleteRow())));
  }
}
