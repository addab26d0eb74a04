package org.hourstone.kv.hbase;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.hourstone.kv.Family;

/**
 * HBase's names of tables and families.
 *
 * @param prefix of the names of all tables; {@code ops:} makes it a namespace
 * @param errors for names HBase does not accept
 */
record Names(String prefix, HBaseErrors errors) {
  TableName table(Family family) {
    return table(family.table());
  }

  TableName table(String table) {
    try {
      return TableName.valueOf(prefix + table);
    } catch (IllegalArgumentException e) {
      throw errors.rejected("bad table name '" + prefix + table + "': " + e.getMessage());
    }
  }

  /** Whether a table is one of ours. */
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
