/**
 * The storage SPI: the operations that Hourstone, a time-series engine, needs from a store. A store
 * knows no metrics, tags or points. The engine calls these interfaces; a backend (memory, RocksDB,
 * HBase) implements them. {@link org.hourstone.kv.KeyValueStores#open} finds the backend on the
 * class path by the scheme of a URI:
 *
 * <pre>{@code
 * Family family = new Family("example", "f");
 * try (KeyValueStore store = KeyValueStores.open("rocksdb:./data")) {
 *   boolean singleVersion = false; // the store may keep old versions of a cell
 *   store.ensure(List.of(new FamilySpec(family, singleVersion)), SchemaMode.CREATE); // if missing
 *   store.put(family, row, qualifier, value);
 *   byte[] stored = store.get(family, row, Columns.all()).find(qualifier); // null if absent
 * }
 * }</pre>
 *
 * <p>Here {@code row}, {@code qualifier} and {@code value} are byte arrays. All calls block until
 * they are done.
 *
 * <p><strong>Data model.</strong> It is that of HBase and Bigtable. A store has tables; a table has
 * column families, and a {@link org.hourstone.kv.Family} names one of them. A family contains rows,
 * a row contains cells. A cell has a qualifier (its column), a value and a write time. Row keys,
 * qualifiers and values are byte strings. The rows of a family are ordered by their keys, the cells
 * of a row by their qualifiers, as <strong>unsigned</strong> bytes. An absent row and a row without
 * cells are the same. {@link org.hourstone.kv.Limits} bounds the size of each part.
 *
 * <p><strong>Reads.</strong> {@link org.hourstone.kv.KeyValueReader} gets rows by key or scans a
 * range of them. Each row is a snapshot; the rows of a scan may be read at different times. {@link
 * org.hourstone.kv.Columns} selects cells; a {@link org.hourstone.kv.RowFilter} selects rows of a
 * scan, on the store's servers if possible.
 *
 * <p><strong>Atomicity.</strong> The unit of change is the row in one family: readers see a {@link
 * org.hourstone.kv.RowMutation} entirely or not at all. A batch of them ({@link
 * org.hourstone.kv.KeyValueStore#mutate mutate}) is atomic per row only. Four primitives read and
 * write one row atomically: {@link org.hourstone.kv.KeyValueStore#increment increment}, {@link
 * org.hourstone.kv.Change.Append append}, {@link org.hourstone.kv.KeyValueStore#compareAndSet
 * compareAndSet} and {@link org.hourstone.kv.KeyValueStore#replaceCells replaceCells}. There are no
 * transactions over several rows; the engine does not need them.
 *
 * <p><strong>Write times.</strong> A cell has one value: the one written last. Its write time, in
 * milliseconds since the epoch, is not a version. The engine needs it to resolve duplicate points
 * and to find the last point of a series. Normally the store assigns it. Callers give one only with
 * {@link org.hourstone.kv.Change.PutIfNewer} and the replacement of {@code replaceCells}. It may be
 * in the past. If it is in the future, the store replaces it by its own time, so that later writes
 * have later times.
 *
 * <p><strong>Differences between stores.</strong> {@linkplain org.hourstone.kv.Trait Traits} are
 * facts about a store, such as durability. Optional operations are in extension interfaces ({@link
 * org.hourstone.kv.Checkpoints}, {@link org.hourstone.kv.DiskUsage}, {@link
 * org.hourstone.kv.Reclamation}, {@link org.hourstone.kv.ScanCounts}, {@link
 * org.hourstone.kv.StoreClock}, {@link org.hourstone.kv.StoreHealth}, {@link
 * org.hourstone.kv.StoreIdentity}, {@link org.hourstone.kv.TableRegions}, {@link
 * org.hourstone.kv.TableAdvice}); {@link org.hourstone.kv.KeyValueStore#extension extension}
 * returns the interface if the store supports it.
 *
 * <p><strong>Failures.</strong> Invalid arguments cause an {@link IllegalArgumentException}, use
 * after close an {@link IllegalStateException}, both before anything is changed. Every other
 * failure is a {@link org.hourstone.kv.StoreException}, whose {@linkplain
 * org.hourstone.kv.StoreException.Outcome outcome} says whether the change was applied. If only
 * some rows of a batch were changed, it is a {@link org.hourstone.kv.BatchException} with an
 * outcome for each row. Callers decide by the outcome, never by the exception's class.
 *
 * <p><strong>Threads.</strong> Several threads may share a store. Only one thread at a time may use
 * a cursor.
 *
 * <p><strong>Arrays.</strong> The store copies arrays that it keeps: the caller may reuse an
 * argument once the call has returned. A returned array may be shared with the store and must not
 * be modified. {@link org.hourstone.kv.Columns}, {@link org.hourstone.kv.RowFilter} and {@link
 * org.hourstone.kv.Scan} are values and may be kept.
 *
 * <p><strong>To write a backend</strong>, implement {@link org.hourstone.kv.KeyValueStore} and
 * register a {@link org.hourstone.kv.KeyValueStoreProvider}. {@link org.hourstone.kv.Checks}
 * validates arguments. For a store that can only lock, read and write a row, {@link
 * org.hourstone.kv.RowEdit} computes the effect of every change. For a store with one flat key
 * space, {@link org.hourstone.kv.FlatKeys} encodes row and qualifier as one order-preserving key.
 * {@code docs/write-your-own-backend.md} is the guide; the module {@code testkit} contains the
 * contract tests.
 */
@NullMarked
package org.hourstone.kv;

import org.jspecify.annotations.NullMarked;
