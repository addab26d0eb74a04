package org.hourstone.tsd.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.hourstone.Tags;
import org.hourstone.junit.HourstoneExtension;
import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two servers with the same points, until a test makes a difference. */
class CompareCommandTest {
  private static final String[] LINES = {
    "cpu 1700000000 1 host=a",
    "cpu 1700000060 2.5 host=a",
    "cpu 1700000120 9007199254740993 host=a",
    "cpu 1700000000 4 host=b",
    "mem 1700000000 5 host=a"
  };

  private static final String RANGE = "start=1700000000&end=1700003600";
  private static final Instant TIME = Instant.ofEpochSecond(1700000000);

  @RegisterExtension
  final HourstoneExtension a = new HourstoneExtension().withServer().withLines(LINES);

  @RegisterExtension
  final HourstoneExtension b =
      new HourstoneExtension()
          .withServer()
          .with("tsd.query.limits.data_points.default", "5")
          .withLines(LINES);

  @TempDir private Path directory;

  private CommandRun compare(String... options) {
    String[] words = new String[options.length + 3];
    words[0] = "compare";
    System.arraycopy(options, 0, words, 1, options.length);
    words[words.length - 2] = a.server().toString();
    words[words.length - 1] = b.server().toString();
    return CommandRun.of(words);
  }

  private Path file(String... lines) throws IOException {
    return Files.writeString(directory.resolve("requests"), String.join("\n", lines) + "\n");
  }

  private CommandRun requests(String... lines) throws IOException {
    return compare("--requests", file(lines).toString());
  }

  private CommandRun query(String expression) throws IOException {
    return requests("/api/query?" + RANGE + "&m=" + expression);
  }

  private static void differs(CommandRun run, String... texts) {
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(texts);
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void equalServersHaveNoDifferences() {
    CommandRun run = compare("--start", "1700000000");

    assertThat(run.err()).isEmpty();
    assertThat(run.outLines().get(0))
        .isEqualTo(
            "11 requests: 0 with differences (value 0, time 0, tag 0, order 0, error 0),"
                + " 0 refused by both, 0 not compared");
    assertThat(run.out()).contains("\nA  median ", " ms, p95 ", a.server() + "\nB  median ");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void optionsThatCanNotBeMeantAreRefused() throws IOException {
    refused("--start: Invalid time: bogus", "--start", "bogus");
    refused("--start: 1700000061 is not before", "--start", "1700000061", "--now", "1700000060");
    refused("--start has no effect", "--start", "1700000000", "--requests", file("x").toString());
    refused("'--tolerance': 'x' is not a number", "--tolerance", "x");
  }

  private void refused(String error, String... options) {
    CommandRun run = compare(options);
    assertThat(run.err()).contains(error).doesNotContain("java.");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void aDecimalThatDiffersIsFound() throws IOException {
    b.db().put("cpu", TIME.plusSeconds(60), 2.5000000001, Tags.of("host", "a"));

    differs(
        query("none:cpu"),
        "GET /api/query?" + RANGE + "&m=none:cpu\n",
        "  value  cpu {host=a}: 1 of 3 values, first at 2023-11-14T22:14:20Z: 2.5 in A,"
            + " 2.5000000001 in B\n",
        "1 request: 1 with differences (value 1, time 0,");
    assertThat(
            compare("--tolerance", "1e-9", "--requests", directory.resolve("requests").toString())
                .exitCode())
        .isZero();
  }

  @Test
  void anIntegerThatDiffersIsFound() throws IOException {
    b.db().put("cpu", TIME.plusSeconds(120), 9007199254740992L, Tags.of("host", "a"));

    differs(query("none:cpu"), "9007199254740993 in A, 9007199254740992 in B");
  }

  @Test
  void aPointThatIsMissingIsFound() throws IOException {
    a.db().put("cpu", TIME.plusSeconds(180), 1, Tags.of("host", "a"));

    differs(query("none:cpu"), "  time   cpu {host=a}: 1 point only in A (2023-11-14T22:16:20Z)");
  }

  @Test
  void pointsThatAreTooManyAreFound() throws IOException {
    b.db().put("mem", TIME.plusSeconds(180), 1, Tags.of("host", "a"));
    b.db().put("mem", TIME.plusSeconds(240), 1, Tags.of("host", "a"));

    differs(query("none:mem"), "mem {host=a}: 2 points only in B (first 2023-11-14T22:16:20Z)");
  }

  @Test
  void aPointAtAnotherTimeIsFound() throws IOException {
    a.db().put("mem", TIME.plusSeconds(60), 1, Tags.of("host", "a"));
    b.db().put("mem", TIME.plusSeconds(61), 1, Tags.of("host", "a"));

    differs(
        query("none:mem"),
        "1 point only in A (2023-11-14T22:14:20Z), 1 point only in B (2023-11-14T22:14:21Z)");
  }

  @Test
  void aSeriesThatIsMissingIsFound() throws IOException {
    a.db().put("mem", TIME, 1, Tags.of("host", "c"));

    differs(query("none:mem"), "  tag    mem {host=c}: once in A, missing in B\n");
  }

  @Test
  void anotherTagValueIsFound() throws IOException {
    a.db().put("mem", TIME, 1, Tags.of("host", "c", "dc", "x"));
    b.db().put("mem", TIME, 1, Tags.of("host", "c", "dc", "y"));

    differs(
        query("none:mem"),
        "mem {dc=x,host=c}: once in A, missing in B",
        "mem {dc=y,host=c}: missing in A, once in B",
        "(value 0, time 0, tag 1,");
  }

  @Test
  void aMetricThatIsMissingIsFound() throws IOException {
    a.db().put("disk", TIME, 1, Tags.of("host", "a"));

    differs(
        query("sum:disk"), "  error  an answer in A, status 400: ", "'disk' in B\n", "error 1)");
    differs(
        compare("--start", "1700000000"),
        "GET /api/suggest?type=metrics&max=100000\n  tag    content: 1 (\"disk\") only in A, none");
  }

  @Test
  void anotherOrderOfSeriesIsFound() throws IOException {
    a.db().put("order", TIME, 1, Tags.of("k", "x"));
    a.db().put("order", TIME, 1, Tags.of("k", "y"));
    b.db().put("order", TIME, 1, Tags.of("k", "y"));
    b.db().put("order", TIME, 1, Tags.of("k", "x"));

    differs(
        query("none:order"), "  order  series 1 is order {k=x} in A, order {k=y} in B", "order 1,");
  }

  @Test
  void aLimitThatOnlyOneHasIsFound() throws IOException {
    for (int i = 0; i < 10; i++) {
      a.db().put("many", TIME.plusSeconds(i), i, Tags.of("host", "a"));
      b.db().put("many", TIME.plusSeconds(i), i, Tags.of("host", "a"));
    }

    differs(query("sum:many"), "  error  an answer in A, status 413: ");
  }

  @Test
  void otherAnswersAreComparedToo() throws IOException {
    CommandRun equal =
        requests(
            "# all that read",
            "GET /api/aggregators",
            "/api/search/lookup?m=cpu{host=*}",
            "/api/query/last?timeseries=mem{host=a}",
            "POST /api/query/exp {\"time\":{\"start\":\"1700000000\",\"end\":\"1700003600\","
                + "\"aggregator\":\"sum\"},\"metrics\":[{\"id\":\"x\",\"metric\":\"mem\"}],"
                + "\"expressions\":[{\"id\":\"e\",\"expr\":\"x*2\"}],\"outputs\":[{\"id\":\"e\"}]}",
            "/api/query/gexp?" + RANGE + "&exp=scale(sum:mem,2)");

    assertThat(equal.err()).isEmpty();
    assertThat(equal.out()).contains("5 requests: 0 with", "0 refused by both, 0 not compared\n");
    b.db().put("mem", TIME, 6, Tags.of("host", "a"));
    differs(
        compare("--json", "--requests", directory.resolve("requests").toString()),
        "\"kind\":\"value\",\"text\":\"mem {host=a}: 1 of 1 value, first at 2023-11-14T22:13:20Z:"
            + " \\\"5\\\" in A, \\\"6\\\" in B\"",
        "\"requests\":5,\"different\":3,\"refusedByBoth\":0,\"notCompared\":0,\"value\":3,",
        "\"medianMillis\":");
  }

  @Test
  void onlyWhatReadsIsSent() throws IOException {
    CommandRun run =
        requests(
            "/api/query?" + RANGE + "&m=sum:cpu&delete=true",
            "/api/query?" + RANGE + "&m=sum:cpu&method_override=delete",
            "/api/query?" + RANGE + "&m=sum:cpu&%64elete=true",
            "DELETE /api/query?" + RANGE + "&m=sum:cpu",
            "{\"start\":1700000000,\"delete\":true,\"queries\":[]}",
            "{\"start\":1700000000,\"delete\":\"True\",\"queries\":[]}",
            "/api/query?" + RANGE + ";delete;m=sum:cpu",
            "/api/query?m=sum:cpu;method_override=delete&" + RANGE,
            "/api/uid/assign?metric=new",
            "POST /api/put {\"metric\":\"m\"}",
            "{\"start\":",
            "/api/query?" + RANGE + "&m=sum:cpu");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("1 request: 0 with differences");
    assertThat(run.err())
        .isEqualTo(
            "hourstone: not sent: 2 (delete: it may not only read),"
                + " 1 (method DELETE is not GET or POST), 2 (not a request for data),"
                + " 1 (parameter %64elete: it may not only read),"
                + " 2 (parameter delete: it may not only read),"
                + " 2 (parameter method_override: it may not only read),"
                + " 1 (the body is not JSON)\n");
  }

  @Test
  void relativeTimesAreTheSameForBoth() throws IOException {
    CommandRun run =
        compare(
            "--now",
            "1700000060",
            "--requests",
            file(
                    "/api/query?start=1m-ago&m=none:cpu",
                    "/api/query?m=max:cpu;start=1m-ago",
                    "{\"start\":\"1m-ago\",\"end\":\"now\",\"queries\":"
                        + "[{\"aggregator\":\"none\",\"metric\":\"cpu\"}]}")
                .toString());
    assertThat(run.exitCode()).isZero();
    b.db().put("cpu", TIME, 7, Tags.of("host", "a"));

    differs(
        compare("--now", "1700000060", "--requests", directory.resolve("requests").toString()),
        "GET /api/query?start=1700000000000&m=none:cpu&end=1700000060000\n",
        "GET /api/query?m=max:cpu;start=1700000000000&end=1700000060000\n",
        "POST /api/query {\"start\":\"1700000000000\",\"end\":\"1700000060000\",",
        "1 of 2 values");
  }

  @Test
  void theRequestsOfALogAreSentOnce() throws IOException {
    String prefix = "2023-11-14 22:13:21,000 INFO  [OpenTSDB I/O Worker #1] HttpQuery: [id: 0x1]";
    Path log =
        file(
            prefix + " HTTP /api/query?" + RANGE + "&m=sum:cpu%7Bhost=*%7D done in 12ms",
            prefix + " HTTP /api/query?" + RANGE + "&m=sum:cpu%7Bhost=*%7D done in 7ms",
            prefix + " HTTP /api/put?details done in 1ms",
            prefix + " HTTP /api/query done in 3ms",
            "2023-11-14 22:13:22,000 INFO  [QueryStats] Completing query={\"query\":"
                + "{\"start\":\"1700000000\",\"end\":\"1700003600\",\"timezone\":null,"
                + "\"options\":null,\"delete\":false,\"queries\":[{\"aggregator\":\"max\","
                + "\"metric\":\"cpu\",\"tsuids\":null,\"downsample\":\"1m-avg\",\"rate\":false,"
                + "\"filters\":[{\"tagk\":\"host\",\"filter\":\"*\",\"group_by\":true,"
                + "\"type\":\"wildcard\"}],\"rateOptions\":null,\"index\":0}]},\"executed\":1}",
            "a line of something else");
    b.db().put("cpu", TIME.plusSeconds(60), 7, Tags.of("host", "a"));

    CommandRun run = compare("--log", log.toString());

    assertThat(run.out())
        .contains(
            "GET /api/query?" + RANGE + "&m=sum:cpu%7Bhost=*%7D\n",
            "POST /api/query"
                + " {\"start\":\"1700000000\",\"end\":\"1700003600\",\"queries\":[{\"aggregator\":\"max\",\"metric\":\"cpu\",\"downsample\":\"1m-avg\",\"filters\":[{\"type\":\"wildcard\",\"tagk\":\"host\",\"filter\":\"*\",\"groupBy\":true}]}]}\n",
            "2 requests: 2 with differences (value 2,");
    assertThat(run.err())
        .isEqualTo(
            "hourstone: not sent: 1 (not a request for data),"
                + " 1 (the body of a POST is not in the log)\n");
  }

  @Test
  void theQueriesOfADashboardAreSent() throws IOException {
    Path dashboard =
        file(
            """
            {"time": {"from": "2023-11-14T22:13:20Z", "to": "2023-11-14T23:13:20Z"},
             "templating": {"list": [
               {"name": "host", "current": {"value": ["a", "b"]}},
               {"name": "all", "current": {"value": "$__all"}}]},
             "panels": [
               {"datasource": {"type": "opentsdb"}, "targets": [
                 {"metric": "cpu", "aggregator": "sum", "downsampleInterval": "",
                  "downsampleAggregator": "avg", "downsampleFillPolicy": "none",
                  "filters": [{"type": "literal_or", "tagk": "host", "filter": "$host",
                               "groupBy": true}]},
                 {"metric": "cpu", "aggregator": "sum", "disableDownsampling": true,
                  "shouldComputeRate": true, "isCounter": true, "counterMax": "100",
                  "tags": {"host": "[[all]]"}},
                 {"metric": "$missing", "aggregator": "sum"}]},
               {"datasource": {"type": "prometheus"}, "targets": [{"expr": "up"}]},
               {"type": "row", "panels": [
                 {"targets": [{"metric": "mem", "aggregator": "avg", "downsampleInterval": "5m",
                   "downsampleAggregator": "max", "downsampleFillPolicy": "zero"}]}]}]}
            """);
    b.db().put("cpu", TIME.plusSeconds(60), 7, Tags.of("host", "a"));
    a.db().put("mem", TIME.plusSeconds(600), 1, Tags.of("host", "a"));
    b.db().put("mem", TIME.plusSeconds(600), 7, Tags.of("host", "a"));

    CommandRun run = compare("--dashboard", dashboard.toString());

    String start = "POST /api/query {\"start\":\"1700000000000\",\"end\":\"1700003600000\",";
    assertThat(run.out())
        .contains(
            start
                + "\"queries\":[{\"metric\":\"cpu\",\"aggregator\":\"sum\",\"downsample\":\"1m-avg\",\"filters\":[{\"type\":\"literal_or\",\"tagk\":\"host\",\"filter\":\"a|b\",\"groupBy\":true}]}]}\n"
                + "  value",
            start
                + "\"queries\":[{\"metric\":\"cpu\",\"aggregator\":\"sum\",\"rate\":true,\"rateOptions\":{\"counter\":true,\"counterMax\":100},\"tags\":{\"host\":\"*\"}}]}\n",
            "\"downsample\":\"5m-max-zero\"}]}\n  value",
            "3 requests: 3 with differences (");
    assertThat(run.err())
        .isEqualTo("hourstone: not sent: 1 (variable missing has no value in the dashboard)\n");
  }

  @Test
  void aDashboardOfAnotherKindIsNamed() throws IOException {
    Path today = file("{\"time\": {\"from\": \"now/d\", \"to\": \"now\"}}");
    CommandRun run = compare("--dashboard", today.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "hourstone: there is nothing to ask: 1 (the dashboard's time now/d is not"
                + " supported)\n");
    assertThat(compare("--dashboard", file("{").toString()).err())
        .contains("requests: not JSON: Unexpected end-of-input");
  }

  @Test
  void moreRequestsThanTheLimitAreLeftOut() throws IOException {
    Path file = file("/api/query?" + RANGE + "&m=sum:cpu", "/api/query?" + RANGE + "&m=max:cpu");

    CommandRun run = compare("--limit", "1", "--requests", file.toString());

    assertThat(run.out()).startsWith("1 request: ");
    assertThat(run.err()).isEqualTo("hourstone: only the first 1 requests were sent (--limit)\n");
  }

  @Test
  void whatCanNotBeComparedIsNotEqual() throws IOException {
    CommandRun refused = query("sum:unknown");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).isEqualTo("hourstone: both servers refused every request\n");

    CommandRun nothing = requests("# nothing");
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.err()).isEqualTo("hourstone: there is nothing to ask\n");

    CommandRun noFile = compare("--requests", directory.resolve("none").toString());
    assertThat(noFile.exitCode()).isEqualTo(2);
    assertThat(noFile.err()).endsWith("none: no such file\n");

    CommandRun noUrl = CommandRun.of("compare", "db1:4242", a.server().toString());
    assertThat(noUrl.exitCode()).isEqualTo(2);
    assertThat(noUrl.err()).startsWith("hourstone: A db1:4242: not ");
  }

  @Test
  void aServerThatIsNotThereIsNotADifference() throws IOException {
    Path file = file("/api/query?" + RANGE + "&m=sum:cpu");
    CommandRun run =
        CommandRun.of(
            "compare", "--requests", file.toString(), a.server().toString(), "http://127.0.0.1:1");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("hourstone: http://127.0.0.1:1 does not respond: ");
  }
}
