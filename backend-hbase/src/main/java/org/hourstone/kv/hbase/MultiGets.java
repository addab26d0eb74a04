package org.hourstone.kv.hbase;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/**
 * Reads many rows, in parts, a few of which are read concurrently. A server ends its response to a
 * part at {@code hbase.server.scanner.max.result.size}, and the client requests the rest.
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

  /**
   * @param request creates the request for a question
   * @param answer computes the answer from the question and the server's result
   * @return the answers, in the order of the questions
   */
  <T> List<T> get(
      List<Reads.Question> questions,
      Function<Reads.Question, Get> request,
      BiFunction<Reads.Question, Result, T> answer)
      throws CallFailedException {
    List<T> answers = new ArrayList<>(questions.size());
    Queue<List<CompletableFuture<Result>>> sent = new ArrayDeque<>(PARTS);
    int next = 0;
    while (answers.size() < questions.size()) {
      while (next < questions.size() && sent.size() < PARTS) {
        int end = Math.min(questions.size(), next + ROWS);
        sent.add(table.get(questions.subList(next, end).stream().map(request).toList()));
        next = end;
      }
      for (CompletableFuture<Result> result : sent.remove()) {
        answers.add(answer.apply(questions.get(answers.size()), calls.await(result)));
      }
    }
    return answers;
  }
}
