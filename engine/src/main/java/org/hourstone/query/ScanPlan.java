package org.hourstone.query;

import java.util.Collection;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;

/**
 * Everything needed to read the rows of one query from one source.
 *
 * @param source the rows to read
 * @param query the operations on their values
 * @param use accounts for the query's resources
 * @param scanned receives the TSUIDs of series that were found by scanning
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
