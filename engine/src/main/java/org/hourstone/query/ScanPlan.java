package org.hourstone.query;

import java.util.Collection;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;

/**
 * All that reading the rows of one query takes.
 *
 * @param source where the rows are
 * @param query what is done to what they hold
 * @param use what the query uses
 * @param scanned is told of the TSUIDs of series that were found by scanning
 */
record ScanPlan(
    KeyValueReader store,
    RowSource source,
    RowKey keys,
    QueryOptions options,
    Query query,
    Plan plan,
    QueryContext use,
    Consumer<Collection<byte[]>> scanned) {
  Family family() {
    return source.family();
  }
}
