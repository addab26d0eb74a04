/**
 * The head: open rows of points in memory, which readers see and which are sealed later, that is,
 * written to the data table. {@link org.hourstone.head.Acknowledgement} says when a point is
 * acknowledged: when a journal in the store has it, or when its row is sealed. See {@code
 * docs/head.md} and {@code docs/format/journal.md}.
 *
 * <p>{@link org.hourstone.head.Head} is what readers see, {@link org.hourstone.head.HeadShard} the
 * rows of one writing thread: {@code ShardRecords} keeps its records, {@code UnseenRows} shows rows
 * to readers where there are none, {@code DueRows} finds those to be sealed, and {@code
 * ShardSealing} has {@code RowSealer} write them, and ready-made cells.
 *
 * <p>A {@code Journal} has {@code Records}: {@code OwnedRecords} where one process owns the store;
 * on a shared store {@code WriterRecords}, in a {@code WriterLog} that a {@code Takeover} can
 * fence, read and seal. {@link org.hourstone.head.Writers} is what other processes know of it.
 *
 * <p>The life of a head, in which each step is a call of {@link org.hourstone.head.Head}:
 *
 * <pre>
 *   EMPTY ──begin──► OWNING ──replay──► REPLAYED ──shards──► JOURNALED ──retire──► RETIRED
 *     │                                                          │
 *     ├──replay──► SHOWING ──shards──┐                         shards
 *     │                              ▼                           │
 *     └───────────shards─────────► DIRECT ◄──────────────────────┘       from each: close ► CLOSED
 * </pre>
 *
 * <p>The journal has the points of open rows while it is JOURNALED or RETIRED. A head whose points
 * are acknowledged without a journal is DIRECT; if it has found the journal of an earlier database,
 * its first shards seal those rows. A head that is SHOWING has the rows of a store that is read
 * only.
 */
@NullMarked
package org.hourstone.head;

import org.jspecify.annotations.NullMarked;
