/**
 * The storage SPI: the operations Hourstone needs from a store. Metrics, tags and points are
 * unknown at this level. The engine calls these interfaces; a backend (memory, RocksDB, HBase)
 * implements them. {@link org.hourstone.kv.KeyValueStores#open} finds the backend by the scheme of
 * a URI:
 *
 * <pre>{@code
 * Family family = new Family("example", "f");
 * try (KeyValueStore store = KeyValueStores.open("rocksdb:./data")) {
 *   store.ensure(List.of(new FamilySpec(family, false)), SchemaMode.CREATE);
 *   store.put(family, row, qualifier, value);
 *   byte[] stored = store.get(family, row, Columns.all()).value(qualifier);
 * }
 * }</pre>
 *
 * <p>Here {@code row}, {@code qualifier} and {@code value} are byte arrays.
 *
 * <p><strong>Data model.</strong> It is that of HBase and Bigtable. A store has tables; a table has
 * column families, and a {@link org.hourstone.kv.Family} names one of them. A family contains rows,
 * a row contains cells. A cell has a qualifier, a value and a write time. Row keys, qualifiers and
 * values are byte strings. Rows in a family, and cells in a row, are ordered by their keys and
 * qualifiers as <strong>unsigned</strong> bytes. An absent row and a row without cells are the
 * same. {@link org.hourstone.kv.Limits} bounds the size of each part.
 *
 * <p><strong>Reads.</strong> {@link org.hourstone.kv.KeyValueReader} gets rows by key or scans a
 * range of them. {@link org.hourstone.kv.Columns} selects cells; a {@link
 * org.hourstone.kv.RowFilter} selects rows of a scan, in the server if the store can do that.
 *
 * <p><strong>Atomicity.</strong> The unit of change is the row in one family: readers see a {@link
 * org.hourstone.kv.RowMutation} entirely or not at all. Four primitives read and write one row
 * atomically: {@link org.hourstone.kv.KeyValueStore#increment increment}, {@link
 * org.hourstone.kv.Change.Append append}, {@link org.hourstone.kv.KeyValueStore#compareAndSet
 * compareAndSet} and {@link org.hourstone.kv.KeyValueStore#replaceCells replaceCells}. There are no
 * transactions over several rows, and the engine relies on none.
 *
 * <p><strong>Write times.</strong> A cell has one value: the one written last. Its write time, in
 * milliseconds since the epoch, is not a version. The engine needs it to resolve duplicate points
 * and to find the last point of a series. Normally the store assigns it. Only {@link
 * org.hourstone.kv.Change.PutIfNewer} and the replacement of {@code replaceCells} carry a write
 * time into a store. It may be in the past; a later one is lowered to the store's clock, so no cell
 * is dated later than the next write.
 *
 * <p><strong>Differences between stores.</strong> {@linkplain org.hourstone.kv.Trait Traits} are
 * facts about a store, such as durability. Optional operations are extension interfaces ({@link
 * org.hourstone.kv.Checkpoints}, {@link org.hourstone.kv.DiskUsage}, {@link
 * org.hourstone.kv.Reclamation}, {@link org.hourstone.kv.ScanCounts}, {@link
 * org.hourstone.kv.StoreClock}); {@link org.hourstone.kv.KeyValueStore#extension extension} returns
 * one if the store supports it.
 *
 * <p><strong>Failures.</strong> Invalid arguments throw {@link IllegalArgumentException}; use after
 * close throws {@link IllegalStateException}; both are thrown before anything is changed. Every
 * other failure is a {@link org.hourstone.kv.StoreException}, whose {@linkplain
 * org.hourstone.kv.StoreException.Outcome outcome} says whether the change was applied. If some
 * rows of a batch were changed and others were not, it is a {@link
 * org.hourstone.kv.BatchException}, which has an outcome for each. Callers decide by the outcome,
 * never by the exception's class.
 *
 * <p><strong>Threads.</strong> A store may be used by several threads, a cursor by one at a time.
 *
 * <p><strong>Arrays.</strong> An array passed in belongs to the caller again once the call has
 * returned. A returned array may be shared with the store and must not be modified. {@link
 * org.hourstone.kv.Columns}, {@link org.hourstone.kv.RowFilter} and {@link org.hourstone.kv.Scan}
 * are values and may be kept.
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
