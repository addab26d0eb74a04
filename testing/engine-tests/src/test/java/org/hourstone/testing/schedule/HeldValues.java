package org.hourstone.testing.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Bytes;
import org.jspecify.annotations.Nullable;

/** What a key has had, one after the other, and where in this list a process took it away. */
final class HeldValues {
  final List<@Nullable Bytes> values = new ArrayList<>();
  final Map<SimulatedProcess, Integer> takenBy = new HashMap<>();

  @Nullable Bytes now() {
    return values.get(values.size() - 1);
  }

  /** What it has had since a process took it away last. */
  List<@Nullable Bytes> since(SimulatedProcess process) {
    return since(takenBy.getOrDefault(process, -1));
  }

  List<@Nullable Bytes> since(int after) {
    return values.subList(after + 1, values.size());
  }
}
