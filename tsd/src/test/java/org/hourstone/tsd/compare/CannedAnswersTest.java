package org.hourstone.tsd.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code compare} of answers that two of our servers don't give, or not when a test wants them. */
class CannedAnswersTest {
  private static final String SUGGEST = "/api/suggest";
  private static final String LOOKUP = "/api/search/lookup";
  private static final String LAST = "/api/query/last";
  private static final String QUERY = "/api/query";

  @TempDir private Path directory;
  private CannedServer a;
  private CannedServer b;

  @BeforeEach
  void start() throws IOException {
    a = new CannedServer();
    b = new CannedServer();
  }

  @AfterEach
  void stop() {
    a.close();
    b.close();
  }

  private CommandRun compare(String option, String... paths) throws IOException {
    Path file = directory.resolve("requests");
    Files.writeString(file, String.join("\n", paths) + "\n");
    return CommandRun.of(
        "compare", option, "--requests", file.toString(), a.toString(), b.toString());
  }

  private CommandRun answered(String path, String ofA, String ofB) throws IOException {
    a.answers(path, 200, ofA);
    b.answers(path, 200, ofB);
    return compare("--tolerance=1e-9", path);
  }

  private static void differs(CommandRun run, String text) {
    assertThat(run.out()).contains(text);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(1);
  }

  private static void isEqual(CommandRun run) {
    assertThat(run.out()).startsWith("1 request: 0 with differences");
    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void whatNeitherHasAnsweredIsNotCompared() throws IOException {
    a.answers(SUGGEST, 200, "[]");
    b.answers(SUGGEST, 200, "[]");

    CommandRun run = compare("--limit=9", SUGGEST, LOOKUP);

    assertThat(run.outLines().get(0)).isEqualTo("GET " + LOOKUP);
    assertThat(run.outLines().get(1))
        .matches("  not compared: no answer: .* in A, no answer: .* in B");
    assertThat(run.outLines().get(2))
        .isEqualTo(
            "2 requests: 0 with differences (value 0, time 0, tag 0, order 0, error 0),"
                + " 0 refused by both, 1 not compared");
    assertThat(run.err()).isEqualTo("hourstone: neither server answered 1 of 2 requests\n");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(compare("--json", SUGGEST, LOOKUP).out())
        .startsWith("{\"request\":\"GET " + LOOKUP + "\",\"notCompared\":\"no answer: ")
        .contains("\"different\":0,\"refusedByBoth\":0,\"notCompared\":1,");
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 502, 503, 504})
  void aServerThatCanNotAnswerNowHasNotRefusedTheRequest(int status) throws IOException {
    a.answers(SUGGEST, status, "{\"error\":{\"message\":\"busy\"}}");

    CommandRun run = compare("--limit=9", SUGGEST);

    assertThat(run.out()).contains("  not compared: status " + status + ": busy in A, no answer: ");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void aDifferenceIsOneAlthoughNotAllWasCompared() throws IOException {
    a.answers(SUGGEST, 200, "[\"a\"]");
    b.answers(SUGGEST, 200, "[\"b\"]");

    CommandRun run = compare("--limit=9", SUGGEST, LOOKUP);

    differs(run, "2 requests: 1 with differences (value 0, time 0, tag 1,");
    assertThat(run.out()).contains(" 0 refused by both, 1 not compared\n");
  }

  @Test
  void whatOnlyOneHasAnsweredIsADifference() throws IOException {
    a.answers(SUGGEST, 200, "[]");
    a.answers(LOOKUP, 400, "{}");

    differs(compare("--limit=9", SUGGEST), "  error  an answer in A, no answer: ");
    differs(compare("--limit=9", LOOKUP), "  error  status 400: {} in A, no answer: ");
    assertThat(compare("--limit=9", LOOKUP).out()).contains(" 0 refused by both, 0 not compared\n");
  }

  @Test
  void whatBothRefuseIsCompared() throws IOException {
    for (String path : new String[] {SUGGEST, LOOKUP}) {
      a.answers(path, path.equals(SUGGEST) ? 200 : 500, "[]");
      b.answers(path, path.equals(SUGGEST) ? 200 : 500, "[]");
    }

    CommandRun run = compare("--limit=9", SUGGEST, LOOKUP);

    assertThat(run.out()).contains(" 1 refused by both, 0 not compared\n");
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1.10, 1.1", "010, 10", "1e3, 1000", "9e99999999, 123", "NaN, nan", "+1, 1"})
  void namesAreNoNumbers(String name, String other) throws IOException {
    String names = "[\"%s\"]";
    differs(
        answered(SUGGEST, names.formatted(name), names.formatted(other)),
        "  tag    content: \"%s\" in A, \"%s\" in B".formatted(name, other));
    String found = "{\"results\":[{\"tags\":{\"host\":\"%s\"}}]}";
    differs(answered(LOOKUP, found.formatted(name), found.formatted(other)), "results tags host: ");
    String series = "[{\"metric\":\"%s\",\"tags\":{},\"dps\":{}}]";
    differs(answered(QUERY, series.formatted(name), series.formatted(other)), "missing in A, once");
  }

  @Test
  void aNameIsNotTheNumberThatItLooksLike() throws IOException {
    differs(answered(SUGGEST, "[\"10\"]", "[10]"), "  tag    content: \"10\" in A, 10 in B");
    differs(
        answered(QUERY, "[{\"metric\":\"m\",\"dps\":{\"1\":\"2\"}}]", series("2")),
        "1 of 1 value, first at 1970-01-01T00:00:01Z: \"2\" in A, 2 in B");
  }

  /** Fields with these names are left out elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"time", "query", "stats", "tsuid"})
  void aTagMayHaveAnyName(String name) throws IOException {
    String found = "{\"results\":[{\"tsuid\":\"%s\",\"tags\":{\"%s\":\"%s\"}}],\"time\":%s}";
    differs(
        answered(LOOKUP, found.formatted("01", name, "x", 1), found.formatted("02", name, "y", 2)),
        "  tag    content results tags " + name + ": \"x\" in A, \"y\" in B\n1 request");
    isEqual(
        answered(LOOKUP, found.formatted("01", name, "x", 1), found.formatted("02", name, "x", 2)));
  }

  @Test
  void theLatestValueIsANumberInAText() throws IOException {
    isEqual(answered(LAST, last("2.50"), last("2.5")));
    isEqual(answered(LAST, last("1e3"), last("1000.0000000001")));
    isEqual(answered(LAST, last("NaN"), last("NaN")));
    differs(answered(LAST, last("2.51"), last("2.5")), ": \"2.51\" in A, \"2.5\" in B");
    differs(answered(LAST, last("NaN"), last("0")), ": \"NaN\" in A, \"0\" in B");
  }

  private static String last(String value) {
    return "[{\"metric\":\"m\",\"timestamp\":1700000000000,\"value\":\"%s\"}]".formatted(value);
  }

  /** The difference of such numbers would have a hundred million digits. */
  @ParameterizedTest
  @ValueSource(strings = {"9e99999999", "9e-99999999", "-9e99999999"})
  void exponentsAreNotCalculatedWith(String huge) throws IOException {
    differs(answered(LAST, last(huge), last("123")), ": \"%s\" in A, \"123\" in B".formatted(huge));
    differs(answered(QUERY, series(huge), series("123")), "1 of 1 value");
    String other = huge.replace('9', '8');
    differs(answered(QUERY, series(huge), series(other)), "1 of 1 value");
    differs(answered(SUGGEST, "[%s]".formatted(huge), "[123]"), "  tag    content: ");
    isEqual(answered(QUERY, series(huge), series(huge)));
    isEqual(answered(QUERY, series("0e99999999"), series("0")));
    differs(answered(LAST, last("9e2147483648"), last("123")), "1 of 1 value");
  }

  private static String series(String value) {
    return "[{\"metric\":\"m\",\"dps\":{\"1\":%s}}]".formatted(value);
  }
}
