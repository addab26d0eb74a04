package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;

/** {@code import --json}. */
class ImportJsonTest extends ImportCase {
  private static final String SPECIAL = "\"\\#:'";

  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":170000000%d,\"value\":%s,\"tags\":{\"a\":\"b\"}}%n";

  private static String point(int second, String value) {
    return POINT.formatted(second, value);
  }

  private static String export(String store, String format) {
    TsdbOptions options = TsdbOptions.defaults().with(Settings.ALLOW_SPECIALCHARS, SPECIAL);
    try (Tsdb db = Tsdb.open(store, options);
        ApiResponse response =
            new Api(db).respond(ApiCall.of("GET", "/api/export?format=" + format, ""))) {
      return response.body();
    }
  }

  private CommandRun into(String to, String... words) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--store",
                to,
                "--set",
                "tsd.core.tag.allow_specialchars=" + SPECIAL,
                "import",
                "--auto-metric"));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  @Test
  void anExportIsImportedAsItWas() throws IOException {
    List<String> values =
        List.of(
            "0",
            "-1",
            "9223372036854775807",
            "-9223372036854775808",
            "42.0",
            "-0.0",
            "0.1",
            "0.10000000149011612",
            "0.30000000000000004",
            "12345678.123456789",
            "1.7976931348623157E308",
            "4.9E-324",
            "1.0E39",
            "3.4028234663852886E38");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      lines.append("m " + (1_700_000_000 + i) + " " + values.get(i) + " host=a\n");
      lines.append("m " + (1_700_000_000_500L + i) + " " + values.get(i) + " host=b dc=lga\n");
    }
    lines.append("Perú/\"\\:' 1 1 ciudad=Ñuñoa \"=\\\n").append("#m 4294967295 2 #='\n");
    assertThat(into(store, file("points", lines.toString())).exitCode()).isZero();
    String exported = export(store, "json");

    String copy = CommandRun.newStore();
    CommandRun run = into(copy, "--json", file("export.json.gz", gzip(exported)));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith(2 * values.size() + 2 + " points stored from 1 file");
    assertThat(run.err()).doesNotContain("skipped");
    assertThat(export(copy, "json")).isEqualTo(exported).contains("\"points\":30,");
    assertThat(export(copy, "lines")).isEqualTo(export(store, "lines"));
  }

  @Test
  void whatIsNoPointIsCounted() {
    String file =
        file(
            "export",
            point(1, "1")
                + """
                {"metric":"m","tags":{"a":"b"},"annotation":{"startTime":1700000000,"notes":"n"}}
                {"annotation":{"startTime":1700000000}}
                {"metric":"m","tags":{"a":"b"},"timestamp":1700000000,"id":42,"value":"AAAB"}
                {"metric":"m","tags":{"a":"b"},"timestamp":1700000000,"buckets":{"0,1":2}}
                {"omitted":{"row":"00","cell":"01","reason":"corrupt"}}

                # a comment
                {"after":"0.000001"}
                {"end":{"points":1,"omitted":1}}
                """);

    CommandRun run = load("--auto-metric", "--json", file);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("1 point stored from 1 file");
    assertThat(complaints(run))
        .containsExactly(
            "hourstone: annotations skipped: 2",
            "hourstone: cells that the export omitted skipped: 1",
            "hourstone: histograms skipped: 2");
  }

  @Test
  void eachBadLineIsRejectedWithItsReasonAndCanBeCorrected() throws IOException {
    List<String> bad =
        List.of(
            "{\"metric\":\"m\"",
            "[1]",
            "m 1700000000 1 a=b",
            "{} {}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":\"x\",\"tags\":{\"a\":\"b\"}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":1,\"tags\":{\"a\":null}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":1,\"tags\":{\"a b\":\"c\"}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":1,\"tags\":{\"a\":\"b=c\"}}",
            "{\"metric\":\"#m\",\"timestamp\":1700000003,\"value\":1,\"tags\":{\"a\":\"b\"}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":\"1"
                + " c=d\",\"tags\":{\"a\":\"b\"}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":1,\"tags\":{}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"value\":1,\"tag\":{\"a\":\"b\"}}",
            "{\"metric\":\"m\",\"interval\":\"1h\",\"timestamp\":1700000003,\"value\":1,\"tags\":{\"a\":\"b\"}}",
            "{\"metric\":\"m\",\"timestamp\":1700000003,\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
            "{\"foo\":1}");
    String file =
        file(
            "export", point(1, "1") + String.join("\n", bad) + "\n" + point(2, "9007199254740993"));
    Path rejects = directory.resolve("rejects");

    CommandRun run = load("--auto-metric", "--json", "--rejects", rejects.toString(), file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).contains("2 points stored from 1 file", "15 lines rejected");
    assertThat(export(store, "json"))
        .startsWith(point(1, "1") + point(2, "9007199254740993") + "{\"end\"");
    assertThat(Files.readString(rejects).lines().filter(line -> !line.startsWith("#")).toList())
        .isEqualTo(bad);
    List<String> reasons =
        Files.readString(rejects)
            .lines()
            .filter(line -> line.startsWith("# rejected: "))
            .map(line -> line.replaceAll(".*/export:", ""))
            .toList();
    assertThat(reasons)
        .hasSize(bad.size())
        .contains(
            "3: not an object of JSON",
            "4: not an object of JSON",
            "5: more than an object of JSON",
            "6: value 'x': Invalid character 'x'",
            "7: Invalid tag value with key [a]: null",
            "8: the name 'a b' has a blank or =: only /api/put stores such a point",
            "9: the name 'b=c' has a blank or =: only /api/put stores such a point",
            "10: Invalid metric name (\"#m\"): illegal character: #",
            "11: value '1 c=d' has a blank",
            "12: Missing tags",
            "15: timestamp: is given twice",
            "16: Metric name was empty");
    assertThat(reasons.get(0))
        .startsWith("2: Unable to parse the given JSON: Unexpected end-of-input");
    assertThat(reasons.get(12)).startsWith("14: interval: unknown");

    Files.writeString(
        rejects,
        Files.readString(rejects)
            .lines()
            .map(line -> line.equals(bad.get(4)) ? line.replace("\"x\"", "3.5") : line)
            .filter(line -> line.startsWith("#") || line.contains("3.5"))
            .collect(Collectors.joining("\n", "", "\n")));
    assertThat(load("--json", rejects.toString()).out()).startsWith("1 point stored");
    assertThat(export(store, "json")).contains(point(3, "3.5"));
  }

  @Test
  void anImportThatEndsEarlyNamesItsFormatAndCanBeResumed() throws IOException {
    String lines = point(1, "1") + point(2, "x") + point(3, "3");
    String file = file("export", lines);
    String state = directory.resolve("state").toString();

    CommandRun run = load("--auto-metric", "--json", file);
    assertThat(run.errLines()).last().asString().contains("line 1", " import --json -");

    assertThat(load("--auto-metric", "--json", "--resume", state, file).exitCode())
        .isEqualTo(ExitCode.FAILED);
    assertThat(load("--auto-metric", "--resume", state, file).err())
        .as("another format")
        .contains(state + " is from another run");
    Files.writeString(Path.of(file), lines.replace(":x,", ":2,"));
    CommandRun second = load("--json", "--resume", state, file);
    assertThat(second.exitCode()).as(second.err()).isZero();
    assertThat(second.out()).startsWith("2 points stored");
    assertThat(export(store, "json")).startsWith(lines.replace(":x,", ":2,"));
  }
}
