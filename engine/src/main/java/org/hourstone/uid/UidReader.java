package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.Lists;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Reads names and UIDs from their table, and caches them for as long as they are current.
 *
 * <p>Thread-safe. Absences are not cached, so an assignment by another process is found
 * immediately; a rename or deletion by another process is detected within {@link
 * UidOptions#noticesAfter}.
 */
final class UidReader {
  /** The maximum number of names read with one call. */
  static final int AT_ONCE = 1000;

  static final byte[] FIRST_PRINTABLE = {'!'};

  /** All names. The row of the counters precedes them. */
  static final Scan ALL = Scan.range(FIRST_PRINTABLE, null);

  private final KeyValueStore store;
  private final Family forward;
  private final Family reverse;
  private final Schema schema;
  private final UidOptions options;
  private final InstantSource clock;
  private final Map<UidKind, UidCache> caches = new EnumMap<>(UidKind.class);
  private final AtomicLong changes = new AtomicLong();

  /**
   * The store can't be read, so until this time cached names are used although they should be read
   * again.
   */
  private volatile long unreadableUntil;

  UidReader(
      KeyValueStore store,
      Family forward,
      Family reverse,
      Schema schema,
      UidOptions options,
      InstantSource clock) {
    this.store = store;
    this.forward = forward;
    this.reverse = reverse;
    this.schema = schema;
    this.options = options;
    this.clock = clock;
    for (UidKind kind : UidKind.values()) {
      CacheSize size = CacheSize.of(kind, options.cacheSize());
      caches.put(kind, new UidCache(size, changes, this::isCurrent));
    }
  }

  /** The cache of a kind. */
  UidCache cache(UidKind kind) {
    UidCache cache = caches.get(kind);
    if (cache == null) {
      throw new AssertionError(kind);
    }
    return cache;
  }

  /** The width of UIDs of this kind, in bytes. */
  int width(UidKind kind) {
    return switch (kind) {
      case METRIC -> schema.metricWidth();
      case TAGK -> schema.tagkWidth();
      case TAGV -> schema.tagvWidth();
    };
  }

  /** The UID of a name in its stored form, or null if it has none. */
  byte @Nullable [] find(UidKind kind, String stored) {
    byte[] known = cache(kind).uid(stored);
    return known != null ? known : read(kind, List.of(stored), false).get(stored);
  }

  /**
   * Reads forward entries, which fills the cache.
   *
   * @param names in their stored form
   * @param forWriting whether names that were cached before keep their UIDs while the store can't
   *     be read, so that points are not refused for this reason
   * @return the UIDs by name, without names that have none
   */
  Map<String, byte[]> read(UidKind kind, List<String> names, boolean forWriting) {
    UidCache cache = cache(kind);
    Map<String, byte[]> known = forWriting ? lastKnown(cache, names) : Map.of();
    if (known.size() == names.size() && isCurrent(unreadableUntil)) {
      return known;
    }
    UidCache.AsOf asOf = asOf();
    byte[] qualifier = kind.qualifierBytes();
    List<byte[]> keys =
        names.stream().filter(UidReader::mayBeStored).map(UidReader::bytes).toList();
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

  /** Whether the row of a name is that of the counters of UIDs: no series has this name. */
  static boolean isOfCounters(String stored) {
    return stored.equals("\0");
  }

  private static boolean mayBeStored(String name) {
    return !name.isEmpty() && name.length() <= Limits.ROW_KEY && !isOfCounters(name);
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

  /** The time for a read that begins now. */
  UidCache.AsOf asOf() {
    return new UidCache.AsOf(changes.get(), keptUntil());
  }

  private static byte[] bytes(String name) {
    return name.getBytes(ISO_8859_1);
  }

  /** A name as it would be read back; it differs if letters are replaced when it is stored. */
  static String asStored(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) > 0xFF) {
        return new String(bytes(name), ISO_8859_1);
      }
    }
    return name;
  }

  /**
   * The UID's name.
   *
   * @throws NoSuchUidException if it has none
   * @throws RequestException if the UID does not have the width of its kind
   */
  String name(UidKind kind, byte[] uid) {
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
    String cached = cache(kind).name(uid);
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
    cache(kind).putName(uid, name, asOf);
    return name;
  }

  /**
   * The names of UIDs, in their order; empty for a UID without one. Those that are not cached are
   * read a thousand at a time.
   */
  List<Optional<String>> names(UidKind kind, List<byte[]> uids) {
    UidCache cache = cache(kind);
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
   * Calls back with the names of a kind in a range, and their UIDs, in the order of the names'
   * bytes.
   */
  void forEach(UidKind kind, Scan scan, BiConsumer<String, byte[]> action) {
    byte[] qualifier = kind.qualifierBytes();
    try (RowCursor rows = store.scan(forward, scan.columns(Columns.exactly(qualifier)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        String name = new String(row.key(), ISO_8859_1);
        if (!isOfCounters(name)) {
          action.accept(name, row.value(0));
        }
      }
    }
  }

  /** Fails if the UID of a name does not have the width of its kind. */
  void checkWidth(UidKind kind, String name, byte[] uid) {
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

  /**
   * A count that increases whenever cached names may have become wrong: at a rename, a deletion or
   * {@link #clear}.
   */
  long changes() {
    return changes.get();
  }

  /**
   * The time until which names resolved now may be cached, in milliseconds since the epoch; later,
   * other processes may have renamed or deleted them.
   */
  long keptUntil() {
    return options.noticesAfter().isZero()
        ? Long.MAX_VALUE
        : clock.millis() + options.keptFor().toMillis();
  }

  /** Whether data resolved at a count of changes, and kept until a time, may still be used. */
  boolean isCurrent(long asOf, long keptUntil) {
    return asOf == changes() && isCurrent(keptUntil);
  }

  /**
   * Whether a time is still in the future. A time too far in the future was computed before the
   * clock was set back, and does not count.
   */
  private boolean isCurrent(long until) {
    if (until == Long.MAX_VALUE) {
      return true; // without reading the clock, which would happen for each point
    }
    long left = until - clock.millis();
    return left > 0 && left <= options.keptFor().toMillis();
  }

  /** Drops all cached entries. */
  void clear() {
    caches.values().forEach(UidCache::clear);
  }
}
