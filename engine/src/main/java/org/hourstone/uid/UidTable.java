package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.uid.UidOptions.Rule;
import org.jspecify.annotations.Nullable;

/**
 * The UID table: names to UIDs and back, with a cache of both. See {@code docs/format/uid.md}.
 *
 * <p>Thread-safe. Several processes may use one table. A name or UID that is assigned elsewhere is
 * found immediately, since absences are not cached; a rename or deletion elsewhere is detected
 * within {@link UidOptions#noticesAfter}, or when {@link #dropCaches} is called.
 */
public final class UidTable {
  /** The default maximum number of suggestions. */
  public static final int DEFAULT_SUGGESTIONS = 25;

  /** How many names are read with one call. */
  private static final int AT_ONCE = 1000;

  private static final byte[] FIRST_PRINTABLE = {'!'};
  private static final byte[] LAST_PRINTABLE = {'~'};

  private final KeyValueStore store;
  private final Family forward;
  private final Family reverse;
  private final Schema schema;
  private final UidOptions options;
  private final InstantSource clock;
  private final UidAllocator allocator;
  private final NameChanges nameChanges;
  private final CountedNumbers counted;
  private final NumberSource metricNumbers;
  private final Map<UidKind, UidCache> caches = new EnumMap<>(UidKind.class);
  private final AtomicLong changes = new AtomicLong();
  private final Set<UidKind> warned = ConcurrentHashMap.newKeySet();
  private volatile Consumer<UidUsage> scarcityListener = usage -> {};
  private volatile BiConsumer<UidKind, byte[]> assignmentListener = (kind, uid) -> {};

  /** One assignment at a time per name within this process: others wait for it to end. */
  private final Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>> pending =
      new EnumMap<>(UidKind.class);

  /**
   * Until when names that must be read again are used as they are, since the store can't be read.
   */
  private volatile long unreadableUntil;

  /**
   * @param forward the family of names to UIDs, {@code tsdb-uid:id}
   * @param reverse the family of UIDs to names, {@code tsdb-uid:name}
   * @param clock for how long names are kept
   * @param random the source of UIDs of metrics if they are random; thread-safe
   * @throws RequestException if random UIDs of metrics are configured and too wide for that
   */
  public UidTable(
      KeyValueStore store,
      Family forward,
      Family reverse,
      Schema schema,
      UidOptions options,
      Backoff backoff,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.forward = forward;
    this.reverse = reverse;
    this.schema = schema;
    this.options = options;
    this.clock = clock;
    CellEditor cells = new CellEditor(store, backoff);
    this.allocator = new UidAllocator(cells, forward, reverse);
    this.nameChanges = new NameChanges(cells, forward, reverse);
    this.counted = new CountedNumbers(cells, forward, options.has(Rule.EXHAUSTION_MOVES_COUNTER));
    this.metricNumbers =
        options.has(Rule.RANDOM_METRICS)
            ? new RandomNumbers(random, schema.metricWidth())
            : counted;
    for (UidKind kind : UidKind.values()) {
      CacheSize size = CacheSize.of(kind, options.cacheSize());
      caches.put(kind, new UidCache(size, changes, this::isCurrent));
      pending.put(kind, new ConcurrentHashMap<>());
    }
  }

  /** Bytes of a UID of this kind. */
  public int width(UidKind kind) {
    return switch (kind) {
      case METRIC -> schema.metricWidth();
      case TAGK -> schema.tagkWidth();
      case TAGV -> schema.tagvWidth();
    };
  }

  /** The name's UID, or null if it has none. */
  public byte @Nullable [] find(UidKind kind, String name) {
    String stored = asStored(name);
    byte[] known = of(caches, kind).uid(stored);
    return known != null ? known : read(kind, List.of(stored), false).get(stored);
  }

  /**
   * Reads forward entries, which fills the cache.
   *
   * @param names as they are stored
   * @param forWriting whether names that were known before keep their UIDs while the store can't be
   *     read: points must not be refused for that
   * @return those of the names that have UIDs
   */
  private Map<String, byte[]> read(UidKind kind, List<String> names, boolean forWriting) {
    UidCache cache = of(caches, kind);
    Map<String, byte[]> known = forWriting ? lastKnown(cache, names) : Map.of();
    if (known.size() == names.size() && isCurrent(unreadableUntil)) {
      return known;
    }
    UidCache.AsOf asOf = asOf();
    byte[] qualifier = kind.qualifierBytes();
    List<byte[]> keys =
        names.stream()
            .filter(name -> !name.isEmpty() && name.length() <= Limits.ROW_KEY)
            .map(UidTable::bytes)
            .toList();
    if (keys.isEmpty()) {
      return Map.of();
    }
    List<Row> rows;
    try {
      rows = store.get(forward, keys, Columns.exactly(qualifier));
    } catch (StoreException e) {
      if (known.size() < names.size()
          || e.outcome() != Outcome.NOT_APPLIED
          || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      unreadableUntil = clock.millis() + options.keptFor().toMillis();
      return known;
    }
    unreadableUntil = 0;
    Map<String, byte[]> found = new HashMap<>();
    for (Row row : rows) {
      String name = new String(row.key(), ISO_8859_1);
      byte[] uid = row.find(qualifier);
      if (uid == null) {
        cache.drop(name);
      } else {
        checkWidth(kind, name, uid);
        cache.putUid(name, uid, asOf);
        found.put(name, uid.clone());
      }
    }
    return found;
  }

  private static Map<String, byte[]> lastKnown(UidCache cache, List<String> names) {
    Map<String, byte[]> known = new HashMap<>();
    for (String name : names) {
      byte[] uid = cache.lastUid(name);
      if (uid != null) {
        known.put(name, uid);
      }
    }
    return known;
  }

  private UidCache.AsOf asOf() {
    return new UidCache.AsOf(changes(), keptUntil());
  }

  private static byte[] bytes(String name) {
    return name.getBytes(ISO_8859_1);
  }

  /** A name as it is read back, which is another one if it has letters that are replaced. */
  private static String asStored(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) > 0xFF) {
        return new String(bytes(name), ISO_8859_1);
      }
    }
    return name;
  }

  /**
   * The name's UID.
   *
   * @throws NoSuchNameException if it has none
   */
  public byte[] uid(UidKind kind, String name) {
    byte[] uid = find(kind, name);
    if (uid == null) {
      throw new NoSuchNameException(kind, name);
    }
    return uid;
  }

  /**
   * The name's UID, assigned now if it has none and names of this kind are created by writing. If a
   * cached name must be read again and the store can't be read, its cached UID is used.
   *
   * @throws NoSuchNameException if it has none and is not created
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] uidForWriting(UidKind kind, String name) {
    byte[] known = of(caches, kind).uid(asStored(name));
    byte[] uid = known != null ? known : uidsForWriting(kind, List.of(name)).get(name);
    if (uid == null) {
      throw new NoSuchNameException(kind, name);
    }
    return uid;
  }

  /**
   * The names' UIDs, as {@link #uidForWriting} gives them, with few calls of the store: one read
   * and one increment for up to a thousand names, and two compare-and-sets for each new one. New
   * names get ascending UIDs in the order given.
   *
   * @param names any number, with repeats; cached ones need no read
   * @return by name; names that have none and are not created are omitted
   * @throws UidAssignmentException if no UID is left for one of them; others may have been assigned
   *     theirs
   */
  public Map<String, byte[]> uidsForWriting(UidKind kind, Collection<String> names) {
    Map<String, byte[]> uids = new HashMap<>();
    for (List<String> some : Iterables.partition(new LinkedHashSet<>(names), AT_ONCE)) {
      Map<String, byte[]> found = resolve(kind, some);
      for (String name : some) {
        byte[] uid = found.get(asStored(name));
        if (uid != null) {
          uids.put(name, uid);
        }
      }
    }
    return uids;
  }

  private Map<String, byte[]> resolve(UidKind kind, List<String> names) {
    UidCache cache = of(caches, kind);
    Map<String, byte[]> uids = new HashMap<>();
    Set<String> unknown = new LinkedHashSet<>();
    for (String name : names) {
      String stored = asStored(name);
      byte[] known = cache.uid(stored);
      if (known == null) {
        unknown.add(stored);
      } else {
        uids.put(stored, known);
      }
    }
    if (!unknown.isEmpty()) {
      uids.putAll(read(kind, List.copyOf(unknown), true));
      unknown.removeAll(uids.keySet());
      if (options.autoCreates(kind)) {
        uids.putAll(allocate(kind, List.copyOf(unknown)));
      }
    }
    return uids;
  }

  /**
   * Assigns a UID to a new name.
   *
   * @throws RequestException if the name has one already
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] assign(UidKind kind, String name) {
    byte[] uid = find(kind, name);
    if (uid != null) {
      throw new RequestException(
          "Name already exists with UID: " + HexFormat.of().withUpperCase().formatHex(uid));
    }
    byte[] assigned = allocate(kind, List.of(asStored(name))).get(asStored(name));
    if (assigned == null) {
      throw new AssertionError(name);
    }
    return assigned;
  }

  /**
   * Registers a listener for every UID that is assigned here, called before the UID is returned to
   * any caller; it must not throw.
   */
  public void onAssigned(BiConsumer<UidKind, byte[]> listener) {
    assignmentListener = listener;
  }

  /** Assigns UIDs to names, in their stored form, that had none when looked up. */
  private Map<String, byte[]> allocate(UidKind kind, List<String> names) {
    names.forEach(name -> checkNotEmpty(kind, name));
    ConcurrentHashMap<String, CompletableFuture<Void>> ofKind = of(pending, kind);
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
        allocateMine(kind, mine, uids);
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
        uids.putAll(read(kind, left, false));
        left = left.stream().filter(name -> !uids.containsKey(name)).toList();
        if (failure != null && !left.isEmpty()) {
          throw failure;
        }
      }
    }
    return uids;
  }

  private void allocateMine(UidKind kind, List<String> names, Map<String, byte[]> uids) {
    UidCache cache = of(caches, kind);
    UidCache.AsOf asOf = asOf();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      byte[] known = cache.uid(name); // another thread may have assigned it since the look-up
      if (known == null) {
        unknown.add(name);
      } else {
        uids.put(name, known);
      }
    }
    allocator.allocate(
        kind,
        unknown,
        width(kind),
        numbers(kind),
        (name, uid) -> {
          checkWidth(kind, name, uid);
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

  /**
   * Registers a listener for the use of 80 % of a kind's UIDs: called once per kind, by the thread
   * that assigns such a UID. Random UIDs are not counted, so they are not reported.
   */
  public void onScarcity(Consumer<UidUsage> listener) {
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
   * The UID's name.
   *
   * @throws NoSuchUidException if it has none
   * @throws RequestException if the UID does not have the width of its kind
   */
  public String name(UidKind kind, byte[] uid) {
    if (uid.length != width(kind)) {
      throw new RequestException(
          "Wrong id.length = "
              + uid.length
              + " which is != "
              + width(kind)
              + " required for '"
              + kind.qualifier()
              + "'");
    }
    String cached = of(caches, kind).name(uid);
    if (cached != null) {
      return cached;
    }
    UidCache.AsOf asOf = asOf();
    byte[] qualifier = kind.qualifierBytes();
    byte[] bytes = store.get(reverse, uid, Columns.exactly(qualifier)).find(qualifier);
    if (bytes == null) {
      throw new NoSuchUidException(kind, uid);
    }
    String name = new String(bytes, ISO_8859_1);
    of(caches, kind).putName(uid, name, asOf);
    return name;
  }

  /**
   * The names of UIDs, in their order; empty for a UID without one. Those that are not cached are
   * read a thousand at a time.
   */
  public List<Optional<String>> names(UidKind kind, List<byte[]> uids) {
    UidCache cache = of(caches, kind);
    List<Optional<String>> names = new ArrayList<>(uids.size());
    List<Integer> unknown = new ArrayList<>();
    for (byte[] uid : uids) {
      Optional<String> cached = Optional.ofNullable(cache.name(uid));
      if (cached.isEmpty()) {
        unknown.add(names.size());
      }
      names.add(cached);
    }
    byte[] qualifier = kind.qualifierBytes();
    for (List<Integer> places : Lists.partition(unknown, AT_ONCE)) {
      UidCache.AsOf asOf = asOf();
      List<byte[]> keys = places.stream().map(uids::get).toList();
      List<Row> rows = store.get(reverse, keys, Columns.exactly(qualifier));
      for (int i = 0; i < rows.size(); i++) {
        byte[] bytes = rows.get(i).find(qualifier);
        if (bytes != null) {
          String name = new String(bytes, ISO_8859_1);
          cache.putName(keys.get(i), name, asOf);
          names.set(places.get(i), Optional.of(name));
        }
      }
    }
    return names;
  }

  /**
   * Names that start with {@code prefix}, in the order of their bytes.
   *
   * @param limit how many at most, at least 1
   */
  public List<String> suggest(UidKind kind, String prefix, int limit) {
    List<String> names = new ArrayList<>();
    suggest(kind, prefix, limit, names::add);
    return names;
  }

  /** As {@link #suggest(UidKind, String, int)}, but calls back with the names. */
  public void suggest(UidKind kind, String prefix, int limit, Consumer<String> action) {
    byte[] start = prefix.getBytes(ISO_8859_1);
    Scan scan =
        start.length > 0
            ? Scan.prefix(start)
            : Scan.range(
                FIRST_PRINTABLE, options.has(Rule.SUGGEST_ONLY_ASCII) ? LAST_PRINTABLE : null);
    forEach(kind, scan.limit(limit), (name, uid) -> action.accept(name));
  }

  /** Calls back with every name of a kind and its UID, in the order of the names' bytes. */
  public void forEach(UidKind kind, BiConsumer<String, byte[]> action) {
    forEach(kind, Scan.range(FIRST_PRINTABLE, null), action);
  }

  private void forEach(UidKind kind, Scan scan, BiConsumer<String, byte[]> action) {
    byte[] qualifier = kind.qualifierBytes();
    try (RowCursor rows = store.scan(forward, scan.columns(Columns.exactly(qualifier)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        action.accept(new String(row.key(), ISO_8859_1), row.value(0));
      }
    }
  }

  /**
   * Replaces a UID's name by another. Its points stay; other processes may know the old name for as
   * long as they cache names. If it fails, both names may lead to the UID until it is called again.
   *
   * @throws NoSuchNameException if the old name has no UID
   * @throws RequestException if the new name has another UID
   */
  public void rename(UidKind kind, String oldName, String newName) {
    Row old = nameChanges.entry(kind, oldName);
    checkNotEmpty(kind, newName);
    try {
      nameChanges.rename(kind, old, newName);
    } finally {
      of(caches, kind).forget(old.value(0), asStored(oldName), asStored(newName));
    }
  }

  private static void checkNotEmpty(UidKind kind, String name) {
    if (name.isEmpty()) {
      throw new RequestException("empty name for " + kind.qualifier());
    }
  }

  /**
   * Takes the UID from a name, and the name's UIDMeta with it. Points written under it stay, and
   * can no longer be read by name. If it fails, the name may lead to the UID, but not the UID to
   * the name, until it is called again.
   *
   * @throws NoSuchNameException if the name has no UID
   */
  public void delete(UidKind kind, String name) {
    Row entry = nameChanges.entry(kind, name);
    try {
      nameChanges.delete(kind, entry);
    } finally {
      of(caches, kind).forget(entry.value(0), asStored(name));
    }
  }

  /** Increases whenever cached names may have become wrong: a rename, a deletion, dropCaches. */
  public long changes() {
    return changes.get();
  }

  /**
   * Until when names resolved now may be kept, in milliseconds since the epoch; then other
   * processes may have renamed or deleted names.
   */
  public long keptUntil() {
    return options.noticesAfter().isZero()
        ? Long.MAX_VALUE
        : clock.millis() + options.keptFor().toMillis();
  }

  /** Whether data kept until a time, and resolved at a count of changes, may still be used. */
  public boolean isCurrent(long asOf, long keptUntil) {
    return asOf == changes() && isCurrent(keptUntil);
  }

  /** Whether a time is not over yet; one that is too far away was set before the clock was. */
  private boolean isCurrent(long until) {
    if (until == Long.MAX_VALUE) {
      return true; // without the clock, which would be read for each point
    }
    long left = until - clock.millis();
    return left > 0 && left <= options.keptFor().toMillis();
  }

  /**
   * How many UIDs of this kind are used. Random UIDs are not counted, so for them this reads the
   * names of the kind.
   */
  public UidUsage usage(UidKind kind) {
    if (numbers(kind) == counted) {
      return usage(kind, counted.last(kind));
    }
    long[] names = new long[1];
    forEach(kind, (name, uid) -> names[0]++);
    return usage(kind, names[0]);
  }

  private UidUsage usage(UidKind kind, long assigned) {
    int width = width(kind);
    long maximum = NumberSource.maximum(width);
    return new UidUsage(kind, Math.min(assigned, maximum), maximum, width);
  }

  /** Drops the caches, so that renames and deletions by other processes are seen. */
  public void dropCaches() {
    changes.incrementAndGet();
    caches.values().forEach(UidCache::clear);
  }

  private void checkWidth(UidKind kind, String name, byte[] uid) {
    if (uid.length != width(kind)) {
      throw new UidAssignmentException(
          "Found id.length = "
              + uid.length
              + " which is != "
              + width(kind)
              + " required for '"
              + kind.qualifier()
              + "' '"
              + name
              + "': is the configured UID width that of the data?");
    }
  }

  private static <V> V of(Map<UidKind, V> map, UidKind kind) {
    V value = map.get(kind);
    if (value == null) {
      throw new AssertionError(kind);
    }
    return value;
  }
}
