package org.hourstone.query;

import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;

/**
 * All that reading the rows of one query takes.
 *
 * @param source where the rows are
 * @param query what is done to what they hold
 * @param use what the query uses
 */
record ReadingPlan(
    KeyValueReader store,
    RowSource source,
    RowKey keys,
    QueryOptions options,
    Query query,
    Plan plan,
    QueryUse use) {
  Family family() {
    return source.family();
  }
}
