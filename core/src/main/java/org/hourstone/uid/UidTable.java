package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigInteger;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The UID table: names to UIDs and back, with a cache of both. See {@code docs/format/uid.md}.
 *
 * <p>Thread-safe. Several processes may use one table. A name or UID that is assigned elsewhere is
 * found at once, since absences are not cached; one that is renamed or deleted elsewhere is noticed
 * within {@link UidOptions#noticesAfter}, or when {@link #dropCaches} is called.
 */
public final class UidTable {
  /** What suggesting returns at most, unless told otherwise. */
  public static final int DEFAULT_SUGGESTIONS = 25;

  private static final byte[] FIRST_PRINTABLE = {'!'};
  private static final byte[] LAST_PRINTABLE = {'~'};

  private final KeyValueStore store;
  private final Family forward;
  private final Family reverse;
  private final Schema schema;
  private final UidOptions options;
  private final InstantSource clock;
  private final CellEditor cells;
  private final UidAllocator allocator;
  private final CountedNumbers counted;
  private final NumberSource metricNumbers;
  private final Map<UidKind, UidCache> caches = new EnumMap<>(UidKind.class);
  private final AtomicLong changes = new AtomicLong();
  private final Set<UidKind> warned = ConcurrentHashMap.newKeySet();
  private volatile Consumer<UidUsage> scarcityListener = usage -> {};
  private volatile BiConsumer<UidKind, byte[]> assignmentListener = (kind, uid) -> {};

  /** One assignment at a time per name within this process: the others wait for its result. */
  private final Map<UidKind, ConcurrentHashMap<String, CompletableFuture<byte[]>>> pending =
      new EnumMap<>(UidKind.class);

  /**
   * @param forward the family of names to UIDs, {@code tsdb-uid:id}
   * @param reverse the family of UIDs to names, {@code tsdb-uid:name}
   * @param clock for how long names are kept
   * @param random what UIDs of metrics are drawn from if they are random; thread-safe
   * @throws IllegalArgumentException if metrics' UIDs are to be random and too wide for that
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
    this.cells = new CellEditor(store, backoff);
    this.allocator = new UidAllocator(cells, forward, reverse);
    this.counted = new CountedNumbers(cells, forward, options.exhaustionMovesCounter());
    this.metricNumbers =
        options.randomMetrics() ? new RandomNumbers(random, schema.metricWidth()) : counted;
    for (UidKind kind : UidKind.values()) {
      caches.put(kind, new UidCache(options.cacheSize(), options.keptFor(), clock));
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
    byte[] cached = of(caches, kind).uid(name);
    if (cached != null) {
      return cached;
    }
    byte[] qualifier = kind.qualifierBytes();
    byte[] row = name.getBytes(ISO_8859_1);
    if (row.length == 0) {
      return null;
    }
    byte[] uid = store.get(forward, row, Columns.exactly(qualifier)).find(qualifier);
    if (uid == null) {
      return null;
    }
    checkWidth(kind, name, uid);
    of(caches, kind).put(name, uid);
    return uid;
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
   * The name's UID, assigned now if it has none and names of this kind are created by writing.
   *
   * @throws NoSuchNameException if it has none and is not to be created
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] uidForWriting(UidKind kind, String name) {
    byte[] uid = find(kind, name);
    if (uid != null) {
      return uid;
    }
    if (!options.autoCreates(kind)) {
      throw new NoSuchNameException(kind, name);
    }
    return allocate(kind, name);
  }

  /**
   * Assigns a UID to a new name.
   *
   * @throws IllegalArgumentException if the name has one already
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] assign(UidKind kind, String name) {
    byte[] uid = find(kind, name);
    if (uid != null) {
      throw new IllegalArgumentException(
          "Name already exists with UID: " + HexFormat.of().withUpperCase().formatHex(uid));
    }
    return allocate(kind, name);
  }

  /**
   * Has somebody told of every UID that is assigned here, before anybody gets it; he must not
   * throw.
   */
  public void onAssigned(BiConsumer<UidKind, byte[]> listener) {
    assignmentListener = listener;
  }

  private byte[] allocate(UidKind kind, String name) {
    checkNotEmpty(kind, name);
    ConcurrentHashMap<String, CompletableFuture<byte[]>> ofKind = of(pending, kind);
    CompletableFuture<byte[]> mine = new CompletableFuture<>();
    CompletableFuture<byte[]> others = ofKind.putIfAbsent(name, mine);
    if (others != null) {
      return join(others);
    }
    try {
      // Between our look-up and our turn another thread may have finished with this name.
      byte[] uid = find(kind, name);
      if (uid == null) {
        uid = allocator.allocate(kind, name, width(kind), numbers(kind));
        checkWidth(kind, name, uid);
        of(caches, kind).put(name, uid);
        warnIfScarce(kind, uid);
        assignmentListener.accept(kind, uid);
      }
      mine.complete(uid);
      return uid;
    } catch (RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      ofKind.remove(name, mine);
    }
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
   * Has somebody told when 80 % of a kind's UIDs are used: once a kind, by the thread that assigns
   * such a UID. Random UIDs are not counted, so that nobody is told of them.
   */
  public void onScarcity(Consumer<UidUsage> listener) {
    scarcityListener = listener;
  }

  private static byte[] join(CompletableFuture<byte[]> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * The UID's name.
   *
   * @throws NoSuchUidException if it has none
   * @throws IllegalArgumentException if the UID has not its kind's width
   */
  public String name(UidKind kind, byte[] uid) {
    if (uid.length != width(kind)) {
      throw new IllegalArgumentException(
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
    byte[] qualifier = kind.qualifierBytes();
    byte[] bytes = store.get(reverse, uid, Columns.exactly(qualifier)).find(qualifier);
    if (bytes == null) {
      throw new NoSuchUidException(kind, uid);
    }
    String name = new String(bytes, ISO_8859_1);
    of(caches, kind).put(name, uid.clone());
    return name;
  }

  /**
   * Names that start with {@code prefix}, in the order of their bytes.
   *
   * @param limit how many at most, at least 1
   */
  public List<String> suggest(UidKind kind, String prefix, int limit) {
    List<String> names = new ArrayList<>();
    byte[] start = prefix.getBytes(ISO_8859_1);
    Scan scan =
        start.length > 0
            ? Scan.prefix(start)
            : Scan.range(FIRST_PRINTABLE, options.suggestOnlyAscii() ? LAST_PRINTABLE : null);
    forEach(kind, scan.limit(limit), (name, uid) -> names.add(name));
    return names;
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
   * Gives a UID's name up for another. Its points stay; other processes may know the old name for
   * as long as they keep names.
   *
   * @throws NoSuchNameException if the old name has no UID
   * @throws IllegalArgumentException if the new name has one
   */
  public void rename(UidKind kind, String oldName, String newName) {
    byte[] uid = uid(kind, oldName);
    byte[] taken = find(kind, newName);
    if (taken != null) {
      throw new IllegalArgumentException(
          "cannot rename "
              + kind.qualifier()
              + " '"
              + oldName
              + "' to '"
              + newName
              + "': the new name has a UID already, "
              + HexFormat.of().withUpperCase().formatHex(taken));
    }
    checkNotEmpty(kind, newName);
    byte[] qualifier = kind.qualifierBytes();
    byte[] newBytes = newName.getBytes(ISO_8859_1);
    byte[] oldBytes = oldName.getBytes(ISO_8859_1);
    // The reverse entry first: a crash then leaves the old name usable, never a name without
    // reverse.
    store.put(reverse, uid, qualifier, newBytes);
    if (!Arrays.equals(cells.setIfAbsent(forward, newBytes, qualifier, uid), uid)) {
      store.put(reverse, uid, qualifier, oldBytes);
      throw new IllegalArgumentException(
          "cannot rename "
              + kind.qualifier()
              + " '"
              + oldName
              + "' to '"
              + newName
              + "': somebody else has just created that");
    }
    delete(forward, oldBytes, qualifier);
    of(caches, kind).remove(oldName, uid);
    changes.incrementAndGet();
  }

  private static void checkNotEmpty(UidKind kind, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("empty name for " + kind.qualifier());
    }
  }

  /**
   * Takes the UID from a name, and the name's UIDMeta with it. Points written under it stay, and
   * can no longer be read by name.
   *
   * @throws NoSuchNameException if the name has no UID
   */
  public void delete(UidKind kind, String name) {
    byte[] uid = uid(kind, name);
    byte[] qualifier = kind.qualifierBytes();
    // The forward entry first: a crash then leaves an orphaned reverse, which is harmless.
    delete(forward, name.getBytes(ISO_8859_1), qualifier);
    of(caches, kind).remove(name, uid);
    store.mutate(
        reverse,
        List.of(
            new RowMutation(
                uid,
                List.of(new Change.Delete(qualifier), new Change.Delete(kind.metaQualifier())))));
    of(caches, kind).remove(name, uid);
    changes.incrementAndGet();
  }

  /**
   * Grows whenever what is known of names may have become wrong: a rename, a deletion, dropCaches.
   */
  public long changes() {
    return changes.get();
  }

  /**
   * Until when what is resolved now may be kept, in milliseconds since the epoch; then other
   * processes may have renamed or deleted names.
   */
  public long keptUntil() {
    return options.noticesAfter().isZero()
        ? Long.MAX_VALUE
        : clock.millis() + options.keptFor().toMillis();
  }

  /**
   * Whether what was kept until a time, and resolved as of a count of changes, may still be used.
   */
  public boolean isCurrent(long asOf, long keptUntil) {
    return asOf == changes() && (keptUntil == Long.MAX_VALUE || clock.millis() < keptUntil);
  }

  private void delete(Family family, byte[] row, byte[] qualifier) {
    store.mutate(family, List.of(new RowMutation(row, new Change.Delete(qualifier))));
  }

  /**
   * How many UIDs of this kind are used. Where they are random nobody counts them, and this reads
   * the names of the kind.
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

  /** Forgets what was read, so that renames and deletions by other processes are seen. */
  public void dropCaches() {
    caches.values().forEach(UidCache::clear);
    changes.incrementAndGet();
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
