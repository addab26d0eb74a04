package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.QueryString;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.JobCommands;
import org.hourstone.internal.Json;

/** {@code /api/admin/jobs}: begins, lists and cancels jobs, and shows the output of one. */
public final class JobsEndpoint implements Endpoint {
  private final Jobs jobs;
  private final JobCommands commands;
  private final BodyDialect bodies;

  public JobsEndpoint(Jobs jobs, JobCommands commands, ApiOptions options) {
    this.jobs = jobs;
    this.commands = commands;
    this.bodies = options.requests().bodies();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    boolean isOfOne = call.method().equals("GET") && call.has("id");
    if (call.has("from") && !isOfOne) {
      throw QueryString.wrong("from", "has no effect but with GET and id");
    }
    if (call.has("id") && call.method().equals("POST")) {
      throw QueryString.wrong("id", "has no effect with the method POST");
    }
    return switch (call.method()) {
      case "GET" -> call.has("id") ? one(call) : list();
      case "POST" -> begin(call);
      case "DELETE" -> cancel(call);
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private ApiResponse list() {
    ObjectNode all = Json.object().put("store", commands.store());
    ArrayNode listed = all.putArray("jobs");
    jobs.list().forEach(job -> listed.add(job.json()));
    return ApiResponse.ok(all);
  }

  private ApiResponse one(ApiCall call) {
    long from = call.has("from") ? number(call, "from") : 0;
    return ApiResponse.ok(job(call).json(from));
  }

  private ApiResponse begin(ApiCall call) {
    List<String> words =
        RequestBody.object(call, bodies, Set.of("command")).member("command").elements().stream()
            .map(BodyValue::text)
            .toList();
    JobCommands.Command command = commands.parse(words);
    Job job =
        jobs.begin(command.kind(), String.join(" ", words), call.client().client(), command.work());
    return ApiResponse.of(ApiResponse.ACCEPTED, job.json());
  }

  private ApiResponse cancel(ApiCall call) {
    Job job = job(call);
    if (job.ended() != null) {
      throw new ApiException(ApiException.CONFLICT, "Job " + job.id() + " has ended");
    }
    job.cancel();
    return ApiResponse.noContent();
  }

  private Job job(ApiCall call) {
    long id = number(call, "id");
    Job job = jobs.find(id);
    if (job == null) {
      throw new ApiException(ApiException.NOT_FOUND, "no job has the id " + id);
    }
    return job;
  }

  private static long number(ApiCall call, String parameter) {
    String text = call.required(parameter);
    if (!text.matches("[0-9]{1,18}")) {
      throw new ApiException(
          ApiException.BAD_REQUEST, parameter + ": not a number: '" + text + "'");
    }
    return Long.parseLong(text);
  }
}
