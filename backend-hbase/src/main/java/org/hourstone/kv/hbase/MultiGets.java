package org.hourstone.kv.hbase;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;

/**
 * Reads of many rows: in parts, a few of them concurrently. A server ends its response to a part at
 * {@code hbase.server.scanner.max.result.size}, and the client requests the rest.
 */
final class MultiGets {
  private static final int ROWS = 1_000;
  private static final int PARTS = 4;

  private final AsyncTable<?> table;
  private final InFlightCalls calls;

  MultiGets(AsyncTable<?> table, InFlightCalls calls) {
    this.table = table;
    this.calls = calls;
  }

  /** The rows, in the order of the requests. */
  List<Row> get(Family family, List<Reads.Question> questions) throws CallFailedException {
    List<Row> rows = new ArrayList<>(questions.size());
    Queue<Part> sent = new ArrayDeque<>(PARTS);
    int next = 0;
    while (rows.size() < questions.size()) {
      while (next < questions.size() && sent.size() < PARTS) {
        int end = Math.min(questions.size(), next + ROWS);
        sent.add(send(family, questions.subList(next, end)));
        next = end;
      }
      Part first = sent.remove();
      for (int i = 0; i < first.gets().size(); i++) {
        Result result = calls.await(first.answers().get(i));
        rows.add(Requests.row(first.gets().get(i).getRow(), result));
      }
    }
    return rows;
  }

  private record Part(List<Get> gets, List<CompletableFuture<Result>> answers) {}

  private Part send(Family family, List<Reads.Question> questions) {
    List<Get> gets =
        questions.stream().map(each -> Requests.get(family, each.key(), each.columns())).toList();
    return new Part(gets, table.get(gets));
  }
}
