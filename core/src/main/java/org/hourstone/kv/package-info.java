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
 * <p>What a store is beyond that is told in two ways. <em>Facts</em> are {@linkplain
 * org.hourstone.kv.Trait traits}. <em>Optional operations</em> are extension interfaces ({@link
 * org.hourstone.kv.Snapshots}, {@link org.hourstone.kv.Checkpoints}, {@link
 * org.hourstone.kv.RangeDeletes}, {@link org.hourstone.kv.AsyncWrites}, {@link
 * org.hourstone.kv.ScanCounts}), obtained with {@link org.hourstone.kv.KeyValueStore#extension
 * extension}: present means it works, absent means there is nothing to call.
 *
 * <p><strong>Failures.</strong> Wrong arguments are {@link IllegalArgumentException}, use after
 * close is {@link IllegalStateException}; both before any effect. Everything else is a {@link
 * org.hourstone.kv.StoreException} whose {@linkplain org.hourstone.kv.StoreException.Outcome
 * outcome} says whether the change was applied: decide by it, never by the exception's class.
 *
 * <p><strong>Arrays.</strong> An array passed in belongs to the caller again once the call has
 * returned. An array handed out may be shared with the store and must not be modified.
 *
 * <p>The tests of all this are in the module {@code testkit}; {@code
 * docs/write-your-own-backend.md} leads through them.
 */
@NullMarked
package org.hourstone.kv;

import org.jspecify.annotations.NullMarked;
