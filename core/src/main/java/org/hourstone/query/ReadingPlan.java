package org.hourstone.query;

import org.hourstone.codec.RowKey;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;

/**
 * All that reading the rows of one query takes.
 *
 * @param family the data table's
 * @param listener is told of every row that is read
 * @param use what the query uses
 */
record ReadingPlan(
    KeyValueReader store,
    Family family,
    RowKey keys,
    QueryOptions options,
    RowListener listener,
    Query query,
    Plan plan,
    QueryUse use) {}
