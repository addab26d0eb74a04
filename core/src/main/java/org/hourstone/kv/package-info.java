/**
 * The storage SPI: what Hourstone asks of a store, and nothing about metrics, tags or time.
 *
 * <p>A store holds <em>cells</em>, addressed by {@linkplain org.hourstone.kv.Family family} (table
 * and column family), row and qualifier. Rows and qualifiers are byte strings ordered as
 * <strong>unsigned</strong> bytes. Every cell carries the time it was written, in milliseconds
 * since the epoch, because duplicate resolution, last-received and last-point need it.
 *
 * <p>The unit of change is the row: a {@link org.hourstone.kv.RowMutation} is seen whole or not at
 * all. Four primitives are atomic on one row: {@link org.hourstone.kv.KeyValueStore#increment
 * increment}, {@link org.hourstone.kv.Change.Append append}, {@link
 * org.hourstone.kv.KeyValueStore#compareAndSet compareAndSet} and {@link
 * org.hourstone.kv.KeyValueStore#replaceCells replaceCells}. There are no multi-row transactions
 * and nothing above relies on one.
 *
 * <p>A store describes itself in two ways. <em>Facts</em> are {@linkplain org.hourstone.kv.Trait
 * traits}. <em>Optional operations</em> are extension interfaces ({@link
 * org.hourstone.kv.Checkpoints}, {@link org.hourstone.kv.ScanCounts}), obtained with {@link
 * org.hourstone.kv.KeyValueStore#extension extension}: present means it works, absent means there
 * is nothing to call.
 *
 * <p><strong>Write time is not a version.</strong> The store assigns it, and the present value of a
 * cell is the one written last. Only two things carry a time of the past into a store: {@link
 * org.hourstone.kv.Change.PutIfNewer} and the replacement of {@code replaceCells}. No time is ever
 * later than the store's clock, so what is written next is also dated last.
 *
 * <p><strong>Failures.</strong> Wrong arguments are {@link IllegalArgumentException}, use after
 * close is {@link IllegalStateException}; both before any effect. Everything else is a {@link
 * org.hourstone.kv.StoreException} whose {@linkplain org.hourstone.kv.StoreException.Outcome
 * outcome} says whether the change was applied: decide by it, never by the exception's class.
 *
 * <p><strong>Arrays.</strong> An array passed in belongs to the caller again once the call has
 * returned. An array handed out may be shared with the store and must not be modified. {@link
 * org.hourstone.kv.Columns}, {@link org.hourstone.kv.RowFilter} and {@link org.hourstone.kv.Scan}
 * are values and may be kept.
 *
 * <p>For stores that can only lock, read and write, {@link org.hourstone.kv.RowEdit} is the meaning
 * of every change to a row, and {@link org.hourstone.kv.FlatKey} an order-preserving key of row and
 * qualifier for stores with one flat key space. {@link org.hourstone.kv.Limits} says how large
 * arguments may be.
 *
 * <p>The tests of all this are in the module {@code testkit}; {@code
 * docs/write-your-own-backend.md} leads through them.
 */
@NullMarked
package org.hourstone.kv;

import org.jspecify.annotations.NullMarked;
