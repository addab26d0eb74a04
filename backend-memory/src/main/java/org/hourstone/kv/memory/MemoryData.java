package org.hourstone.kv.memory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.jspecify.annotations.Nullable;

/**
 * The families that the handles with one name share. Named data is reference-counted: it is created
 * with the first handle and dropped with the last.
 */
final class MemoryData {
  private static final Map<String, MemoryData> NAMED = new ConcurrentHashMap<>();

  private final @Nullable String name;
  private final Promises promises;
  private final Map<Family, MemoryFamily> families = new ConcurrentSkipListMap<>();

  /** Changed only within {@code NAMED.compute} of the name. */
  private int handles;

  private MemoryData(@Nullable String name, Promises promises) {
    this.name = name;
    this.promises = promises;
  }

  /** Data that no other handle can reach. */
  static MemoryData unnamed(Promises promises) {
    return new MemoryData(null, promises);
  }

  /** The data with this name, for one more handle, which must {@linkplain #release release} it. */
  static MemoryData named(String name, Promises promises) {
    return NAMED.compute(
        name,
        (key, found) -> {
          MemoryData data = found == null ? new MemoryData(name, promises) : found;
          if (data.promises != promises) {
            throw new StoreException(
                StoreException.Outcome.REJECTED,
                "memory:" + name + " is already open with other traits: " + data.promises);
          }
          data.handles++;
          return data;
        });
  }

  /** Releases one handle. */
  void release() {
    if (name != null) {
      NAMED.computeIfPresent(name, (key, data) -> --data.handles == 0 ? null : data);
    }
  }

  Promises promises() {
    return promises;
  }

  List<Family> families() {
    return List.copyOf(families.keySet());
  }

  MemoryFamily family(Family family) {
    MemoryFamily found = families.get(family);
    if (found == null) {
      throw new StoreException(StoreException.Outcome.REJECTED, "no family " + family);
    }
    return found;
  }

  void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    List<Family> missing = new ArrayList<>();
    for (FamilySpec spec : specs) {
      Family family = spec.family();
      if (mode == SchemaMode.CREATE) {
        families.computeIfAbsent(family, absent -> new MemoryFamily(promises));
      } else if (!families.containsKey(family)) {
        missing.add(family);
      }
    }
    if (!missing.isEmpty()) {
      throw new StoreException(StoreException.Outcome.REJECTED, "missing families: " + missing);
    }
  }
}
