package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
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
        case "lines" -> new Command("lines", output -> write(1005, output));
        case "many" -> new Command("many", output -> write(50_000, output));
        default -> throw new ApiException(ApiException.BAD_REQUEST, "no such command");
      };
    }

    private static boolean write(int lines, JobOutput output) {
      for (int i = 0; i < lines; i++) {
        output.line("line " + i);
      }
      return true;
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

  /** Begins a job; returns its id. */
  private long begin(String command) {
    String response = send("POST", URI, "{'command':['" + command + "']}");
    long id = id(response);
    assertThat(response)
        .startsWith(
            "202 {'id':%d,'kind':'%s','command':'%s','state':'".formatted(id, command, command));
    return id;
  }

  private static long id(String job) {
    Matcher id = Pattern.compile("['\"]id['\"]:(\\d+)").matcher(job);
    assertThat(id.find()).as(job).isTrue();
    return Long.parseLong(id.group(1));
  }

  /** The description of a job once it has ended. */
  private String ended(long id) {
    String job = send("GET", URI + "?id=" + id, "");
    while (job.contains("'state':'running'")) {
      job = send("GET", URI + "?id=" + id, "");
    }
    return job;
  }

  @Test
  void oneOfAKindRunsAtATimeUntilItIsCancelled() throws InterruptedException {
    long wait = begin("wait");
    begun.await();
    assertThat(send("GET", URI, ""))
        .startsWith("200 {'store':'memory:x','jobs':[{'id':" + wait + ",")
        .contains("'rows':123,'percent':25,'line':'working'");
    assertThat(send("POST", URI, "{'command':['wait','again']}"))
        .startsWith("409 ")
        .contains("job " + wait + ": wait");
    long part = begin("part");
    assertThat(part).isGreaterThan(wait);
    assertThat(send("DELETE", URI + "?id=" + wait, "")).startsWith("204 ");
    assertThat(ended(wait)).contains("'state':'cancelled'", "'ended':");
    assertThat(send("DELETE", URI + "?id=" + wait, "")).startsWith("409 ");
    assertThat(ended(part)).contains("'state':'incomplete'");
    assertThat(jobs.statistics())
        .contains(
            new Statistic("jobs.ended", 1, Map.of("kind", "wait", "state", "cancelled")),
            new Statistic("jobs.ended", 1, Map.of("kind", "part", "state", "incomplete")));
  }

  @Test
  void aFailureIsTheLastLine() {
    assertThat(ended(begin("fail"))).contains("'state':'failed'", "'output':['it has failed']");
  }

  /** Such as a name that does not exist: a stack trace would say that the server has a fault. */
  @Test
  void aFailureForItsClientIsLoggedInOneLine() throws InterruptedException {
    try (LoggedBy faults = LoggedBy.anyThread("org.hourstone.api");
        LoggedBy lines = LoggedBy.anyThread("org.hourstone.job")) {
      ended(begin("fail"));
      lines.await(2);
      assertThat(lines.lines().get(1)).startsWith("WARNING job ").endsWith(": it has failed");
      assertThat(faults.lines()).isEmpty();
    }
  }

  @Test
  void outputCanBeContinuedAndIsBounded() {
    long few = begin("lines");
    String whole = URI + "?id=" + few;
    assertThat(ended(few)).contains("'lines':1005,'output':['line 0',");
    assertThat(send("GET", whole + "&from=1004", "")).endsWith("'output':['line 1004']}");
    assertThat(send("GET", whole + "&from=1005", "")).endsWith("'output':[]}");

    String many = ended(begin("many"));
    assertThat(many).contains("'lines':50000,'output':['line ").endsWith("'line 49999']}");
    assertThat(many.length()).as("characters of the output").isBetween(100_000, 1_100_000);
    assertThat(send("GET", whole, ""))
        .as("of a job before the latest")
        .contains("'lines':1005,'output':['line 5',");
  }

  @Test
  void noIdIsUsedAgainByAServerThatIsStartedLater() {
    ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));
    try (Jobs first = new Jobs(clock);
        Jobs later = new Jobs(clock)) {
      assertThat(idIn(first, "part")).isEqualTo(1_700_000_000_000L);
      assertThat(idIn(first, "lines")).as("in the same ms").isEqualTo(1_700_000_000_001L);
      clock.advance(Duration.ofSeconds(1));
      assertThat(idIn(later, "part")).isEqualTo(1_700_000_001_000L);
    }
  }

  /** The id of a job that begins among others than those of this test. */
  private long idIn(Jobs others, String command) {
    Api other =
        new Api(db, ServerInfo.none(), Plotter.none(), new Refusals(), others, new Commands());
    String body = "{\"command\":[\"" + command + "\"]}";
    try (ApiResponse begun = other.respond("POST", URI, body, new Disconnection(), Role.all())) {
      return id(begun.body());
    }
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
    long wait = begin("wait");
    begun.await();
    jobs.close();
    assertThat(send("GET", URI + "?id=" + wait, "")).contains("'state':'cancelled'");
    assertThat(send("POST", URI, "{'command':['part']}")).startsWith("503 ");
  }
}
