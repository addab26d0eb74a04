package org.hourstone.api.prometheus;

import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyEndpoint;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.uid.NameRules;

/** {@code /api/v1/read}: Prometheus' remote read, with responses of samples. */
public final class RemoteReadEndpoint implements BodyEndpoint {
  private static final String PROTOBUF = "application/x-protobuf";

  private final Tsdb db;
  private final NameRules rules;
  private final CompletedQueries completed;

  public RemoteReadEndpoint(Tsdb db, ApiOptions options, CompletedQueries completed) {
    this.db = db;
    this.rules = options.names();
    this.completed = completed;
  }

  @Override
  public boolean takesSnappy() {
    return true;
  }

  @Override
  public ApiResponse respond(ApiCall call, byte[] body, int length) {
    LabelNames names = LabelNames.of(call, rules);
    ReadRequest request;
    try {
      request = ReadRequest.read(new ProtoReader(body, 0, length));
    } catch (UnreadableException e) {
      throw new ApiException(ApiException.BAD_REQUEST, "Malformed request", e.why());
    }
    db.runningQueries().limits().checkQueries(request.selections().size()); // before any is read
    return BudgetedResponse.of(
        db,
        completed,
        call,
        () -> "remote read " + request.selections(),
        budget -> {
          request.compile(budget.memory());
          return ApiResponse.streamed(PROTOBUF, SamplesResponse.of(db, names, request, budget))
              .withHeader("Content-Encoding", "snappy");
        });
  }
}
