package org.hourstone.kv.hbase;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.hourstone.kv.Family;

/**
 * HBase's names of tables and families.
 *
 * @param prefix the prefix of all table names; {@code ops:} makes it a namespace
 * @param errors creates the exceptions for names that HBase does not accept
 * @param used the tables named so far; thread-safe
 */
record Names(String prefix, HBaseErrors errors, Set<TableName> used) {
  Names(String prefix, HBaseErrors errors) {
    this(prefix, errors, ConcurrentHashMap.newKeySet());
  }

  TableName table(Family family) {
    return table(family.table());
  }

  TableName table(String table) {
    try {
      TableName name = TableName.valueOf(prefix + table);
      used.add(name);
      return name;
    } catch (IllegalArgumentException e) {
      throw errors.rejected("bad table name '" + prefix + table + "': " + e.getMessage());
    }
  }

  /** Whether a table's name has the prefix. */
  boolean includes(TableName table) {
    return table.getNameAsString().startsWith(prefix);
  }

  /** The name without the prefix. */
  String name(TableName table) {
    return table.getNameAsString().substring(prefix.length());
  }

  static byte[] bytes(Family family) {
    return family.name().getBytes(StandardCharsets.UTF_8);
  }
}
