package org.hourstone.api.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.internal.ShortText;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RunningQuery;
import org.jspecify.annotations.Nullable;

/**
 * The requests for points that have ended, the latest ones: as many as OpenTSDB keeps. All that
 * clients send is cut, so that they take a megabyte at most. Thread-safe.
 */
public final class CompletedQueries {
  public static final int MOST = 256;
  private static final int MOST_PROBLEM = 500;
  private static final int MOST_CLIENT = 200;

  /** A request that has ended. */
  private record Completed(
      RunningQuery use,
      String client,
      Instant ended,
      int status,
      String problem,
      boolean isSent,
      ObjectNode stats) {
    ObjectNode json() {
      ObjectNode json =
          Json.object()
              .put("query", use.text())
              .put("client", client)
              .put("exception", problem)
              .put("queryStartTimestamp", use.started().toEpochMilli())
              .put("queryCompletedTimestamp", ended.toEpochMilli())
              .put("sentToClient", isSent)
              .put("rows", use.rows())
              .put("bytes", use.bytes())
              .put("points", use.points())
              .put("series", use.series());
      json.putObject("httpResponse").put("code", status);
      json.set("stats", stats);
      return json;
    }
  }

  private final InstantSource clock;
  private final Failures failures;
  private final int most;
  private final Deque<Completed> latest = new ArrayDeque<>();

  public CompletedQueries(InstantSource clock, Failures failures, int most) {
    this.clock = clock;
    this.failures = failures;
    this.most = most;
  }

  /** For requests that are not kept. */
  static CompletedQueries none() {
    return new CompletedQueries(InstantSource.system(), new Failures(ErrorDialect.HOURSTONE), 0);
  }

  /** A request begins, whose end will be kept. */
  Running begin(RequestBudget budget, ApiCall call) {
    return new Running(budget, call.client().client());
  }

  private synchronized void add(Completed completed) {
    latest.addFirst(completed);
    if (latest.size() > most) {
      latest.removeLast();
    }
  }

  /** All of them, the latest first. */
  public ArrayNode json() {
    ArrayNode json = Json.array();
    synchronized (this) {
      latest.forEach(completed -> json.add(completed.json()));
    }
    return json;
  }

  /** A request until it ends. For one thread at a time. */
  final class Running {
    private final RequestBudget budget;
    private final String client;
    private final long startNanos = System.nanoTime();
    private int status = ApiResponse.OK;
    private @Nullable Throwable failure;
    private long preparedNanos;
    private boolean isEnded;

    private Running(RequestBudget budget, String client) {
      this.budget = budget;
      this.client = client;
    }

    /** The response is about to be written. */
    void responses(int with) {
      status = with;
      preparedNanos = System.nanoTime() - startNanos;
    }

    /**
     * @param isBegun whether some of the response was written, so that its status is not that of
     *     the failure
     */
    void failed(Throwable e, boolean isBegun) {
      failure = e;
      if (!isBegun) {
        responses(failures.statusOf(e));
      }
    }

    /** Nothing more follows; idempotent. */
    void ended(boolean isSent, ObjectNode stats) {
      if (isEnded || most == 0) {
        return;
      }
      isEnded = true;
      stats
          .put("processingPreWriteTime", QueryStats.millis(preparedNanos))
          .put("totalTime", QueryStats.millis(System.nanoTime() - startNanos))
          .put("workingTime", QueryStats.millis(budget.elapsed().toNanos()));
      add(
          new Completed(
              budget.use(),
              ShortText.of(client, MOST_CLIENT),
              clock.instant(),
              status,
              // OpenTSDB's text for none
              failure == null ? "null" : ShortText.of(Failures.textOf(failure), MOST_PROBLEM),
              isSent,
              stats));
    }
  }
}
