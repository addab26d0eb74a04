package org.hourstone.kv.hbase;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/** Gets for reads of the store and for the reads that its changes need. */
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
   * @param key retained without a copy
   */
  Row get(Family family, byte[] key, Columns columns) {
    if (Requests.isEmpty(columns)) {
      requireFamily(family);
      return Row.empty(key);
    }
    return Requests.row(
        key,
        calls.await(
            table(family).get(Requests.get(family, new Question(key, columns))),
            failure -> errors.read(family, failure)));
  }

  /**
   * A request for the cells of these columns, dated from a time on, in the row with this key, which
   * is retained without a copy.
   *
   * @param from in milliseconds since the epoch; 0 for cells of any time
   */
  record Question(byte[] key, Columns columns, long from) {
    Question(byte[] key, Columns columns) {
      this(key, columns, 0);
    }
  }

  List<Row> get(Family family, List<Question> questions) {
    if (questions.stream().allMatch(each -> Requests.isEmpty(each.columns()))) {
      requireFamily(family);
      return questions.stream().map(each -> Row.empty(each.key())).toList();
    }
    return answers(
        family,
        questions,
        each -> Requests.get(family, each),
        (question, result) -> Requests.row(question.key(), result));
  }

  /** Everything that the servers still have of some cells: versions and deletion markers. */
  List<List<Cell>> history(Family family, List<Question> questions) {
    return answers(
        family,
        questions,
        each -> Requests.history(family, each),
        (question, result) -> result.isEmpty() ? List.of() : result.listCells());
  }

  private <T> List<T> answers(
      Family family,
      List<Question> questions,
      Function<Question, Get> request,
      BiFunction<Question, Result, T> answer) {
    try {
      return new MultiGets(table(family), calls).get(questions, request, answer);
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
