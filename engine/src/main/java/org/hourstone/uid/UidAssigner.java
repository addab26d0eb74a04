package org.hourstone.uid;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.hourstone.error.RequestException;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.uid.UidOptions.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Assigns UIDs to new names. If several threads of this process need the UID of one name, one
 * thread assigns it, and the others wait for that and then read the stored UID. When an assignment
 * ends, even by a failure, no thread waits for it any more: if the store has failed, all fail, and
 * else they try it themselves, as it may have failed for another name. Thread-safe.
 */
final class UidAssigner {
  private final UidReader reader;
  private final UidAllocator allocator;
  private final CountedNumbers counted;
  private final NumberSource metricNumbers;
  private final Set<UidKind> warned = ConcurrentHashMap.newKeySet();

  /** The numbers of names as last counted, of kinds whose UIDs are random. */
  private final Map<UidKind, Long> namesCounted = new ConcurrentHashMap<>();

  private volatile Runnable admission = () -> {};
  private volatile Consumer<UidUsage> scarcityListener = usage -> {};
  private volatile BiConsumer<UidKind, byte[]> assignmentListener = (kind, uid) -> {};

  /**
   * The assignments in progress in this process, at most one per name; other threads wait for its
   * end.
   */
  private final Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>> pending =
      new EnumMap<>(UidKind.class);

  /**
   * @param random the source of random metric UIDs, if configured; thread-safe
   * @throws RequestException if random metric UIDs are configured but metric UIDs are too wide for
   *     it
   */
  UidAssigner(
      UidReader reader,
      CellEditor cells,
      Family forward,
      Family reverse,
      UidOptions options,
      RandomGenerator random) {
    this.reader = reader;
    this.allocator = new UidAllocator(cells, forward, reverse);
    this.counted = new CountedNumbers(cells, forward, options.has(Rule.EXHAUSTION_MOVES_COUNTER));
    this.metricNumbers =
        options.has(Rule.RANDOM_METRICS)
            ? new RandomNumbers(random, reader.width(UidKind.METRIC))
            : counted;
    for (UidKind kind : UidKind.values()) {
      pending.put(kind, new ConcurrentHashMap<>());
    }
  }

  private ConcurrentHashMap<String, CompletableFuture<Void>> pending(UidKind kind) {
    ConcurrentHashMap<String, CompletableFuture<Void>> ofKind = pending.get(kind);
    if (ofKind == null) {
      throw new AssertionError(kind);
    }
    return ofKind;
  }

  /** The check throws if no name may get a UID now. */
  void beforeAssignments(Runnable check) {
    admission = check;
  }

  /** Throws if no name may get a UID now. */
  void admit() {
    admission.run();
  }

  /** The listener is notified of every UID that is assigned here, before it is returned. */
  void onAssigned(BiConsumer<UidKind, byte[]> listener) {
    assignmentListener = listener;
  }

  /**
   * Assigns UIDs to names that had none when they were looked up; the names are in their stored
   * form.
   */
  Map<String, byte[]> assign(UidKind kind, List<String> names) {
    names.forEach(name -> checkNotEmpty(kind, name));
    if (!names.isEmpty()) {
      admit();
    }
    ConcurrentHashMap<String, CompletableFuture<Void>> ofKind = pending(kind);
    Map<String, byte[]> uids = new HashMap<>();
    List<String> left = names;
    while (!left.isEmpty()) {
      CompletableFuture<Void> done = new CompletableFuture<>();
      List<String> mine = new ArrayList<>();
      CompletableFuture<Void> others = null;
      try {
        for (String name : left) {
          CompletableFuture<Void> other = ofKind.putIfAbsent(name, done);
          if (other == null) {
            mine.add(name);
          } else {
            others = other;
          }
        }
        assignMine(kind, mine, uids);
        done.complete(null);
      } catch (RuntimeException | Error e) {
        done.completeExceptionally(e);
        throw e;
      } finally {
        for (String name : left) {
          ofKind.remove(name, done);
        }
      }
      left = left.stream().filter(name -> !uids.containsKey(name)).toList();
      if (others != null && !left.isEmpty()) {
        RuntimeException failure = failure(others);
        // The UID may have been deleted since: read it from the store.
        uids.putAll(reader.read(kind, left, false));
        left = left.stream().filter(name -> !uids.containsKey(name)).toList();
        if (failure instanceof StoreException && !left.isEmpty()) {
          throw failure; // else each who waits would wait for the store, one after another
        }
      }
    }
    return uids;
  }

  /** Fails if a name is empty. */
  static void checkNotEmpty(UidKind kind, String name) {
    if (name.isEmpty()) {
      throw new RequestException("empty name for " + kind.qualifier());
    }
  }

  private void assignMine(UidKind kind, List<String> names, Map<String, byte[]> uids) {
    UidCache cache = reader.cache(kind);
    UidCache.AsOf asOf = reader.asOf();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      byte[] known = cache.uid(name); // another thread may have assigned it since the lookup
      if (known == null) {
        unknown.add(name);
      } else {
        uids.put(name, known);
      }
    }
    allocator.allocate(
        kind,
        unknown,
        reader.width(kind),
        numbers(kind),
        (name, uid) -> {
          reader.checkWidth(kind, name, uid);
          warnIfScarce(kind, uid);
          assignmentListener.accept(kind, uid.clone());
          cache.putUid(name, uid, asOf);
          uids.put(name, uid);
        });
  }

  private NumberSource numbers(UidKind kind) {
    return kind == UidKind.METRIC ? metricNumbers : counted;
  }

  private void warnIfScarce(UidKind kind, byte[] uid) {
    if (numbers(kind) == counted) {
      UidUsage usage = usage(kind, new BigInteger(1, uid).longValue());
      if (usage.isScarce() && warned.add(kind)) {
        scarcityListener.accept(usage);
      }
    }
  }

  /** The listener is notified once per kind, when 80 % of its UIDs are in use. */
  void onScarcity(Consumer<UidUsage> listener) {
    scarcityListener = listener;
  }

  /** Waits for an assignment to end; returns its failure, or null. */
  private static @Nullable RuntimeException failure(CompletableFuture<Void> assignment) {
    try {
      assignment.join();
      return null;
    } catch (CompletionException e) {
      return e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * The number of UIDs of this kind in use. Random UIDs have no counter, so for them this reads all
   * names of the kind.
   */
  UidUsage usage(UidKind kind) {
    if (numbers(kind) == counted) {
      return usage(kind, counted.last(kind));
    }
    long[] names = new long[1];
    reader.forEach(kind, UidReader.ALL, (name, uid) -> names[0]++);
    namesCounted.put(kind, names[0]);
    return usage(kind, names[0]);
  }

  /** As {@link #usage(UidKind)}, as last read or assigned here; null if it was not read yet. */
  @Nullable UidUsage lastUsage(UidKind kind) {
    Long last = numbers(kind) == counted ? counted.lastSeen(kind) : namesCounted.get(kind);
    return last == null ? null : usage(kind, last);
  }

  private UidUsage usage(UidKind kind, long assigned) {
    int width = reader.width(kind);
    long maximum = NumberSource.maximum(width);
    return new UidUsage(kind, Math.min(assigned, maximum), maximum, width);
  }
}
