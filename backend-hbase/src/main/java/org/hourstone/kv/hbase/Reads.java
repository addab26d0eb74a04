package org.hourstone.kv.hbase;

import java.util.List;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/** Gets, as the store itself and its changes need them. */
final class Reads {
  private static final byte[] ANY = {0};

  private final AsyncConnection connection;
  private final Names names;
  private final InFlightCalls calls;
  private final HBaseErrors errors;

  Reads(AsyncConnection connection, Names names, InFlightCalls calls, HBaseErrors errors) {
    this.connection = connection;
    this.names = names;
    this.calls = calls;
    this.errors = errors;
  }

  /**
   * @param key is kept
   */
  Row get(Family family, byte[] key, Columns columns) {
    if (Requests.isEmpty(columns)) {
      requireFamily(family);
      return Row.empty(key);
    }
    try {
      return Requests.row(key, calls.await(table(family).get(Requests.get(family, key, columns))));
    } catch (CallFailedException e) {
      throw errors.read(family, e.failure());
    }
  }

  /** The cells of these columns in the row of this key, which is kept. */
  record Question(byte[] key, Columns columns) {}

  List<Row> get(Family family, List<Question> questions) {
    if (questions.stream().allMatch(each -> Requests.isEmpty(each.columns()))) {
      requireFamily(family);
      return questions.stream().map(each -> Row.empty(each.key())).toList();
    }
    try {
      return new MultiGets(table(family), calls).get(family, questions);
    } catch (CallFailedException e) {
      throw errors.read(family, e.failure());
    }
  }

  /** All that the servers still have of some cells: versions, and the markers of deletions. */
  List<org.apache.hadoop.hbase.Cell> history(Family family, byte[] row, List<byte[]> qualifiers) {
    Scan raw =
        new Scan()
            .withStartRow(row)
            .withStopRow(row, true)
            .addFamily(Names.bytes(family))
            .setRaw(true)
            .readAllVersions()
            .setFilter(ReplaceCondition.anyOf(qualifiers));
    try {
      return calls.await(table(family).scanAll(raw)).stream()
          .map(Result::listCells)
          .flatMap(List::stream)
          .toList();
    } catch (CallFailedException e) {
      throw errors.read(family, e.failure());
    }
  }

  /** For calls with nothing to do, which must still fail if the family does not exist. */
  void requireFamily(Family family) {
    Row unused = get(family, ANY, Columns.exactly(ANY));
  }

  private AsyncTable<?> table(Family family) {
    return connection.getTable(names.table(family));
  }
}
