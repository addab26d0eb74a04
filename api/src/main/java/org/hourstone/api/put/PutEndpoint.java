package org.hourstone.api.put;

import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Refusals;
import org.hourstone.error.RequestException;

/**
 * {@code /api/put}, {@code /api/rollup} and {@code /api/histogram}: write points. Valid points are
 * written even if others are invalid. Responds when all of them are stored, or after {@code
 * sync_timeout}.
 */
public final class PutEndpoint implements BodyEndpoint {
  private final PutKind kind;
  private final PutReader reader;
  private final Refusals refusals;
  private final ApiDialect dialect;
  private final ErrorDialect errors;

  public PutEndpoint(PutKind kind, ApiOptions options) {
    this(kind, options, new Refusals());
  }

  /**
   * @param refusals counts the points that are not stored
   */
  public PutEndpoint(PutKind kind, ApiOptions options, Refusals refusals) {
    this.kind = kind;
    this.reader = PutReader.of(kind, options);
    this.refusals = refusals;
    this.dialect = options.requests();
    this.errors = options.errors();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    check(call);
    return respond(call, PutBlock.parse(kind, reader, call.body()));
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] utf8, int length) {
    check(call);
    return respond(call, PutBlock.parse(kind, reader, utf8, length, 0));
  }

  private ApiResponse respond(ApiCall call, PutBlock block) {
    long timeoutMillis = timeoutMillis(call);
    checkNotEmpty(block.size());
    block.write(call);
    block.receipts().await(timeoutMillis);
    PutTotals totals = totals(call);
    totals.add(block);
    return totals.respond(
        call, timeoutMillis > 0, summary -> new PutDetails(summary, block.errors()));
  }

  /**
   * Begins to handle a request before its body has arrived.
   *
   * @param blockBytes a body of at most that many bytes is handled whole
   * @throws ApiException if the request is refused whatever its body is
   */
  public StreamedPut begin(ApiCall call, int blockBytes) {
    check(call);
    return new StreamedPut(this, kind, reader, call, timeoutMillis(call), blockBytes);
  }

  PutTotals totals(ApiCall call) {
    return new PutTotals(refusals, errors, call.client().client());
  }

  private void check(ApiCall call) {
    kind.checkEnabled();
    if (!call.method().equals("POST")) {
      throw ApiException.methodNotAllowed(call);
    }
  }

  /**
   * @param points how many a body has
   * @throws ApiException if there is none
   */
  static void checkNotEmpty(long points) {
    if (points == 0) {
      throw new ApiException(ApiException.BAD_REQUEST, "No datapoints found in content");
    }
  }

  private long timeoutMillis(ApiCall call) {
    String text = call.parameter("sync_timeout").orElse("0");
    try {
      long millis = call.has("sync") ? Long.parseLong(text) : 0;
      dialect.checkLimit("sync_timeout", millis);
      return Math.max(0, millis);
    } catch (NumberFormatException e) {
      throw new RequestException("sync_timeout is not a number: " + text, e);
    }
  }
}
