package org.hourstone.api.endpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hourstone.Tsdb;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.internal.Json;
import org.hourstone.query.RequestBudget;

/**
 * The response to a request that reads. The request has one budget from here until the response is
 * written or closed; its time does not pass while the client is waited for. It is cancelled when
 * the client disconnects, and may be kept when it has ended.
 */
public final class BudgetedResponse implements ResponseBody {
  private final ResponseBody body;
  private final RequestBudget budget;
  private final CompletedQueries.Running kept;
  private final Runnable end;
  private boolean isBegun;
  private boolean isSent;

  private BudgetedResponse(
      ResponseBody body, RequestBudget budget, CompletedQueries.Running kept, Runnable end) {
    this.body = body;
    this.budget = budget;
    this.kept = kept;
    this.end = end;
  }

  /** Responds to a request that is not recorded when it has ended. */
  public static ApiResponse of(
      Tsdb db, ApiCall call, Supplier<String> text, Function<RequestBudget, ApiResponse> action) {
    return of(db, CompletedQueries.none(), call, text, action);
  }

  /**
   * Responds to a request.
   *
   * @param completed records it when it has ended
   * @param text describes it in the list of running queries
   * @param action responds within the budget
   */
  public static ApiResponse of(
      Tsdb db,
      CompletedQueries completed,
      ApiCall call,
      Supplier<String> text,
      Function<RequestBudget, ApiResponse> action) {
    RequestBudget budget = db.begin(text);
    Disconnection client = call.client();
    budget.from(client.client(), client::waitsForTurn);
    CompletedQueries.Running kept = completed.begin(budget, call);
    Runnable cancel = () -> budget.cancel("its client has disconnected");
    Runnable end =
        () -> {
          client.forget(cancel);
          budget.close();
        };
    try {
      client.onGone(cancel);
      ApiResponse response = action.apply(budget);
      kept.responses(response.status());
      if (response.isComplete()) {
        kept.ended(true, Json.object());
        end.run();
        return response;
      }
      budget.pause();
      return response.wrapping(body -> new BudgetedResponse(body, budget, kept, end));
    } catch (RuntimeException | Error e) {
      try {
        kept.failed(e, false);
        kept.ended(true, Json.object());
      } finally {
        end.run();
      }
      throw e;
    }
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    budget.resume();
    try {
      body.writeTo(new ToClient(out));
      isSent = true;
    } catch (IOException | RuntimeException | Error e) {
      kept.failed(e, isBegun);
      throw e;
    }
  }

  @Override
  public void close() {
    try (body) {
      kept.ended(isSent, body instanceof MeasuredBody measured ? measured.stats() : Json.object());
    } finally {
      end.run();
    }
  }

  /** The client's stream: writing to it is waiting for the client, unless the request has ended. */
  private final class ToClient extends OutputStream {
    private final OutputStream out;

    ToClient(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      budget.check();
      budget.pause();
      isBegun = true;
      try {
        out.write(bytes, from, length);
      } finally {
        budget.resume();
      }
    }

    @Override
    public void flush() throws IOException {
      budget.pause();
      try {
        out.flush();
      } finally {
        budget.resume();
      }
    }
  }
}
