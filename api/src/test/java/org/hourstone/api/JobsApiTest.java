package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.JobCommands;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.Role;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.api.status.Jobs;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs by HTTP: who may begin them, one of a kind at a time, their progress, and cancelling. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class JobsApiTest {
  private static final String URI = "/api/admin/jobs";

  private final ModelStore store = new ModelStore(InstantSource.system());
  private final Tsdb db = Tsdb.over(store, TsdbOptions.defaults());
  private final Jobs jobs = new Jobs(InstantSource.system());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final Api api =
      new Api(db, ServerInfo.none(), Plotter.none(), new Refusals(), jobs, new Commands());

  /** Work until they are cancelled, fail, or are done. */
  private final class Commands implements JobCommands {
    @Override
    public Command parse(List<String> words) {
      return switch (words.get(0)) {
        case "wait" -> new Command("wait", this::await);
        case "fail" ->
            new Command(
                "fail",
                output -> {
                  throw new ApiException(ApiException.INTERNAL_ERROR, "it has failed");
                });
        case "part" -> new Command("part", output -> false);
        case "lines" ->
            new Command(
                "lines",
                output -> {
                  for (int i = 0; i < 1005; i++) {
                    output.line("line " + i);
                  }
                  return true;
                });
        default -> throw new ApiException(ApiException.BAD_REQUEST, "no such command");
      };
    }

    private boolean await(JobOutput output) {
      output.progress(123, 1, 4);
      output.line("working");
      begun.countDown();
      while (!output.isCancelled()) {
        Thread.onSpinWait();
      }
      throw new ApiException(ApiException.UNAVAILABLE, "cancelled");
    }

    @Override
    public String store() {
      return "memory:x";
    }
  }

  @AfterEach
  void close() {
    jobs.close();
    db.close();
    store.close();
  }

  private String send(String method, String uri, String body, Set<Role> roles) {
    try (ApiResponse response =
        api.respond(method, uri, body.replace('\'', '"'), new Disconnection(), roles)) {
      return response.status() + " " + response.body().replace('"', '\'');
    }
  }

  private String send(String method, String uri, String body) {
    return send(method, uri, body, Role.all());
  }

  /** The description of a job once it has ended. */
  private String ended(int id) {
    String job = send("GET", URI + "?id=" + id, "");
    while (job.contains("'state':'running'")) {
      job = send("GET", URI + "?id=" + id, "");
    }
    return job;
  }

  @Test
  void oneOfAKindRunsAtATimeUntilItIsCancelled() throws InterruptedException {
    assertThat(send("POST", URI, "{'command':['wait']}"))
        .startsWith("202 {'id':1,'kind':'wait','command':'wait','state':'running'");
    begun.await();
    assertThat(send("GET", URI, ""))
        .startsWith("200 {'store':'memory:x','jobs':[{'id':1,")
        .contains("'rows':123,'percent':25,'line':'working'");
    assertThat(send("POST", URI, "{'command':['wait','again']}"))
        .startsWith("409 ")
        .contains("job 1: wait");
    assertThat(send("POST", URI, "{'command':['part']}")).startsWith("202 ");
    assertThat(send("DELETE", URI + "?id=1", "")).startsWith("204 ");
    assertThat(ended(1)).contains("'state':'cancelled'", "'ended':");
    assertThat(send("DELETE", URI + "?id=1", "")).startsWith("409 ");
    assertThat(ended(2)).contains("'state':'incomplete'");
    assertThat(jobs.statistics())
        .contains(
            new Statistic("jobs.ended", 1, Map.of("kind", "wait", "state", "cancelled")),
            new Statistic("jobs.ended", 1, Map.of("kind", "part", "state", "incomplete")));
  }

  @Test
  void aFailureIsTheLastLine() {
    send("POST", URI, "{'command':['fail']}");
    assertThat(ended(1)).contains("'state':'failed'", "'output':['it has failed']");
  }

  @Test
  void outputCanBeContinuedAndIsBounded() {
    send("POST", URI, "{'command':['lines']}");
    assertThat(ended(1)).contains("'lines':1005,'output':['line 5',");
    assertThat(send("GET", URI + "?id=1&from=1004", "")).endsWith("'output':['line 1004']}");
    assertThat(send("GET", URI + "?id=1&from=1005", "")).endsWith("'output':[]}");
  }

  @Test
  void onlyAnAdminMay() {
    Set<Role> others = EnumSet.of(Role.READ, Role.WRITE);
    for (String method : List.of("GET", "POST", "DELETE")) {
      assertThat(send(method, URI, "", others)).startsWith("403 ").contains("[admin]");
    }
  }

  @Test
  void requestsThatCantBeMeantAreRefused() {
    for (String body :
        List.of("", "[]", "{'command':'wait'}", "{'cmd':['wait']}", "{'command':['x']}")) {
      assertThat(send("POST", URI, body)).as(body).startsWith("400 ");
    }
    assertThat(send("GET", URI + "?id=x", "")).startsWith("400 ");
    assertThat(send("GET", URI + "?id=7", "")).startsWith("404 ");
    assertThat(send("GET", URI + "?from=1", "")).startsWith("400 ");
    assertThat(send("POST", URI + "?id=1", "{'command':['part']}")).startsWith("400 ");
    assertThat(send("PUT", URI, "")).startsWith("405 ");
  }

  @Test
  void noneBeginsOnceTheServerStops() throws InterruptedException {
    send("POST", URI, "{'command':['wait']}");
    begun.await();
    jobs.close();
    assertThat(send("GET", URI + "?id=1", "")).contains("'state':'cancelled'");
    assertThat(send("POST", URI, "{'command':['part']}")).startsWith("503 ");
  }
}
