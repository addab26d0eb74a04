package org.hourstone.testkit.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** Copies of the arrays of one call, to detect modifications while it runs. */
final class HandedIn {
  private final List<byte[]> arrays = new ArrayList<>();
  private final List<byte[]> copies = new ArrayList<>();

  HandedIn(byte[]... all) {
    for (byte[] each : all) {
      with(each);
    }
  }

  static HandedIn batch(List<RowMutation> batch) {
    HandedIn in = new HandedIn();
    for (RowMutation mutation : batch) {
      in.with(mutation.row());
      for (Change change : mutation.changes()) {
        in.with(change.qualifier());
        if (change instanceof Change.Put put) {
          in.with(put.value());
        } else if (change instanceof Change.Append append) {
          in.with(append.suffix());
        }
      }
    }
    return in;
  }

  static HandedIn replacement(Row observed, List<Cell> replacement) {
    HandedIn in = new HandedIn(observed.key());
    for (Cell cell : replacement) {
      in.with(cell.qualifier());
      in.with(cell.value());
    }
    return in;
  }

  static HandedIn rows(List<byte[]> rows) {
    HandedIn in = new HandedIn();
    rows.forEach(in::with);
    return in;
  }

  HandedIn with(byte @Nullable [] array) {
    if (array != null) {
      arrays.add(array);
      copies.add(array.clone());
    }
    return this;
  }

  /** To be called when the call has returned. */
  void check() {
    for (int i = 0; i < arrays.size(); i++) {
      if (!Arrays.equals(arrays.get(i), copies.get(i))) {
        throw new AssertionError(
            "an argument was modified while the call ran: it was "
                + new Bytes(copies.get(i))
                + " and is "
                + new Bytes(arrays.get(i)));
      }
    }
  }
}
