package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.Iterables;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidOptions.Rule;
import org.jspecify.annotations.Nullable;

/**
 * The UID table: names to UIDs and back, with a cache of both. See {@code docs/format/uid.md}.
 *
 * <p>Thread-safe. Several processes may use one table. A name or UID that another process assigns
 * is found immediately, since absences are not cached; a rename or deletion by another process is
 * detected within {@link UidOptions#noticesAfter}, or when {@link #dropCaches} is called.
 */
public final class UidTable {
  /** The default maximum number of suggestions. */
  public static final int DEFAULT_SUGGESTIONS = 25;

  private static final byte[] LAST_PRINTABLE = {'~'};

  private final UidReader reader;
  private final UidAssigner assigner;
  private final NameChanges nameChanges;
  private final UidOptions options;

  /**
   * @param forward the family of names to UIDs, {@code tsdb-uid:id}
   * @param reverse the family of UIDs to names, {@code tsdb-uid:name}
   * @param clock determines how long names are cached
   * @param random the source of random metric UIDs, if configured; thread-safe
   * @throws RequestException if random metric UIDs are configured but metric UIDs are too wide for
   *     it
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
    CellEditor cells = new CellEditor(store, backoff);
    this.options = options;
    this.reader = new UidReader(store, forward, reverse, schema, options, clock);
    this.assigner = new UidAssigner(reader, cells, forward, reverse, options, random);
    this.nameChanges = new NameChanges(cells, forward, reverse);
  }

  /** The width of UIDs of this kind, in bytes. */
  public int width(UidKind kind) {
    return reader.width(kind);
  }

  /** The name's UID, or null if it has none. */
  public byte @Nullable [] find(UidKind kind, String name) {
    return reader.find(kind, UidReader.asStored(name));
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
   * The name's UID. If it has none, one is assigned, provided that writing creates names of this
   * kind. If a cached name must be read again and the store can't be read, its cached UID is used.
   *
   * @throws NoSuchNameException if it has none and is not created
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] uidForWriting(UidKind kind, String name) {
    byte[] known = reader.cache(kind).uid(UidReader.asStored(name));
    byte[] uid = known != null ? known : uidsForWriting(kind, List.of(name)).get(name);
    if (uid == null) {
      throw new NoSuchNameException(kind, name);
    }
    return uid;
  }

  /**
   * As {@link #uidForWriting}, for many names with few calls of the store: one read and one
   * increment for up to a thousand names, and two calls that set the cells of all new ones. These
   * get ascending UIDs in the order given.
   *
   * @param names any number, repeats allowed; cached names need no read
   * @return the UIDs by name, without names that have none and are not created
   * @throws UidAssignmentException if no UID is left for one of them; other names may have got UIDs
   */
  public Map<String, byte[]> uidsForWriting(UidKind kind, Collection<String> names) {
    Map<String, byte[]> uids = new HashMap<>();
    for (List<String> some : Iterables.partition(new LinkedHashSet<>(names), UidReader.AT_ONCE)) {
      Map<String, byte[]> found = resolve(kind, some);
      for (String name : some) {
        byte[] uid = found.get(UidReader.asStored(name));
        if (uid != null) {
          uids.put(name, uid);
        }
      }
    }
    return uids;
  }

  private Map<String, byte[]> resolve(UidKind kind, List<String> names) {
    UidCache cache = reader.cache(kind);
    Map<String, byte[]> uids = new HashMap<>();
    Set<String> unknown = new LinkedHashSet<>();
    for (String name : names) {
      String stored = UidReader.asStored(name);
      byte[] known = cache.uid(stored);
      if (known == null) {
        unknown.add(stored);
      } else {
        uids.put(stored, known);
      }
    }
    if (!unknown.isEmpty()) {
      uids.putAll(reader.read(kind, List.copyOf(unknown), true));
      unknown.removeAll(uids.keySet());
      if (options.autoCreates(kind)) {
        uids.putAll(assigner.assign(kind, List.copyOf(unknown)));
      }
    }
    return uids;
  }

  /**
   * Assigns a UID to a new name.
   *
   * @throws RequestException if the name already has one
   * @throws UidAssignmentException if no UID is left
   */
  public byte[] assign(UidKind kind, String name) {
    byte[] uid = find(kind, name);
    if (uid != null) {
      throw new RequestException(
          "Name already exists with UID: " + HexFormat.of().withUpperCase().formatHex(uid));
    }
    byte[] assigned =
        assigner.assign(kind, List.of(UidReader.asStored(name))).get(UidReader.asStored(name));
    if (assigned == null) {
      throw new AssertionError(name);
    }
    return assigned;
  }

  /**
   * Registers a check that is made before new names get UIDs, and UIDs other names: it throws if
   * they get none now.
   */
  public void beforeAssignments(Runnable check) {
    assigner.beforeAssignments(check);
  }

  /**
   * Registers a listener for every UID that this process assigns. It is called before the UID is
   * returned to any caller, and must not throw.
   */
  public void onAssigned(BiConsumer<UidKind, byte[]> listener) {
    assigner.onAssigned(listener);
  }

  /**
   * Registers a listener that is called once per kind when 80 % of its UIDs are in use, by the
   * thread that assigns a UID then. Random UIDs have no counter, so they are not reported.
   */
  public void onScarcity(Consumer<UidUsage> listener) {
    assigner.onScarcity(listener);
  }

  /**
   * The UID's name.
   *
   * @throws NoSuchUidException if it has none
   * @throws RequestException if the UID does not have the width of its kind
   */
  public String name(UidKind kind, byte[] uid) {
    return reader.name(kind, uid);
  }

  /**
   * The names of UIDs, in their order; empty for a UID without one. Those that are not cached are
   * read a thousand at a time.
   */
  public List<Optional<String>> names(UidKind kind, List<byte[]> uids) {
    return reader.names(kind, uids);
  }

  /**
   * Names that start with {@code prefix}, in the order of their bytes.
   *
   * @param limit the maximum number of names, at least 1
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
                UidReader.FIRST_PRINTABLE,
                options.has(Rule.SUGGEST_ONLY_ASCII) ? LAST_PRINTABLE : null);
    reader.forEach(kind, scan.limit(limit), (name, uid) -> action.accept(name));
  }

  /** Calls back with every name of a kind and its UID, in the order of the names' bytes. */
  public void forEach(UidKind kind, BiConsumer<String, byte[]> action) {
    reader.forEach(kind, UidReader.ALL, action);
  }

  /**
   * Replaces a UID's name by another. Its points stay. Other processes may use the old name for as
   * long as they cache names. If it fails, both names may lead to the UID until it is called again.
   *
   * @throws NoSuchNameException if the old name has no UID
   * @throws RequestException if the new name has another UID
   */
  public void rename(UidKind kind, String oldName, String newName) {
    Row old = nameChanges.entry(kind, oldName);
    UidAssigner.checkNotEmpty(kind, newName);
    assigner.admit();
    try {
      nameChanges.rename(kind, old, newName);
    } finally {
      reader
          .cache(kind)
          .forget(old.value(0), UidReader.asStored(oldName), UidReader.asStored(newName));
    }
  }

  /**
   * Deletes a name's UID and UIDMeta. Points written under the UID stay, but can no longer be read
   * by name. If it fails, the name may lead to the UID, but not the UID to the name, until it is
   * called again.
   *
   * @throws NoSuchNameException if the name has no UID
   */
  public void delete(UidKind kind, String name) {
    Row entry = nameChanges.entry(kind, name);
    try {
      nameChanges.delete(kind, entry);
    } finally {
      reader.cache(kind).forget(entry.value(0), UidReader.asStored(name));
    }
  }

  /**
   * A count that increases whenever cached names may have become wrong: at a rename, a deletion or
   * {@link #dropCaches}.
   */
  public long changes() {
    return reader.changes();
  }

  /**
   * The time until which names resolved now may be cached, in milliseconds since the epoch; later,
   * other processes may have renamed or deleted them.
   */
  public long keptUntil() {
    return reader.keptUntil();
  }

  /** Whether data resolved at a count of changes, and kept until a time, may still be used. */
  public boolean isCurrent(long asOf, long keptUntil) {
    return reader.isCurrent(asOf, keptUntil);
  }

  /**
   * The number of UIDs of this kind in use. Random UIDs have no counter, so for them this reads all
   * names of the kind.
   */
  public UidUsage usage(UidKind kind) {
    return assigner.usage(kind);
  }

  /**
   * As {@link #usage}, but as it was last read or changed by this process, so that it never waits
   * for the store; null if it was not read yet.
   */
  public @Nullable UidUsage lastUsage(UidKind kind) {
    return assigner.lastUsage(kind);
  }

  /** How names of a kind are found in memory; never waits for the store. */
  public UidCacheUse cacheUse(UidKind kind) {
    return reader.cache(kind).use();
  }

  /** Drops the caches, so that renames and deletions by other processes are seen. */
  public void dropCaches() {
    reader.clear();
  }
}
