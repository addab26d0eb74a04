package org.hourstone.tsd.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanCommandTest {
  private static final String ROW = "00000150e22700000001000001";

  private final String store = CommandRun.newStore();

  private CommandRun run(String input, String... words) {
    return runOn(store, input, words);
  }

  private static CommandRun runOn(String store, String input, String... words) {
    List<String> args =
        new ArrayList<>(List.of("--store", store, "--set", QuerySettings.TIMEZONE.key() + "=UTC"));
    args.addAll(List.of(words));
    return CommandRun.withInput(input, args.toArray(String[]::new));
  }

  private CommandRun scan(String... options) {
    List<String> args = new ArrayList<>(List.of("scan"));
    args.addAll(List.of(options));
    args.addAll(List.of("2013/01/01", "2013/01/01-00:30", "sum:m"));
    return run("", args.toArray(String[]::new));
  }

  private static String cell(String row, String qualifier, String value, int age) {
    return "{\"table\":\"tsdb\",\"row\":\""
        + row
        + "\",\"family\":\"t\",\"qualifier\":\""
        + qualifier
        + "\",\"value\":\""
        + value
        + "\",\"ts\":"
        + (1_356_998_500_000L - age)
        + "}\n";
  }

  private static String cell(String qualifier, String value) {
    return cell(ROW, qualifier, value, 0);
  }

  private void load(String cells) {
    CommandRun load = run(cells, "load-cells", "--into-nonempty", "-");
    assertThat(load.exitCode()).describedAs(load.err()).isZero();
  }

  private String cells() {
    return run("", "cells", "--write-time", "data").out();
  }

  @BeforeEach
  void nameTheSeries() {
    run("", "uid", "assign", "metrics", "m");
    run("", "uid", "assign", "tagk", "host");
    run("", "uid", "assign", "tagv", "a");
  }

  @Test
  void everyKindOfCellIsShownWithItsMeaning() {
    load(
        cell("00000010", "0405")
            + cell("01001e", "7b2273746172745469")
            + cell("01e0", "2a")
            + cell("0210022b", "03402000")
            + cell("050000", "024005" + "f000fa4f3fb999999999999a")
            + cell("06000001f4", "2a00")
            + cell("aabb00", "01")
            + cell("aabb0000ff0011", "01")
            + cell("f000fa40", "07"));

    assertThat(scan().out())
        .isEqualTo(
            """
            00000150e22700000001000001 m{host=a} 1356998400 2013-01-01T00:00:00Z
              00000010 0405 compacted 2 points; several points without the byte at the end
                1356998400 4 integer/1
                1356998401 5 integer/1
              01001e 7b2273746172745469 annotation 1356998430 {"startTi
              01e0 2a point 1356998430 42 integer/1
              0210022b 03402000 compacted 1 point; the value of point 2 is cut off
                1356998433 3 integer/1
              050000 024005f000fa4f3fb999999999999a append 2 points; points out of order
                1356998436 5 integer/1
                1356998401001 0.1 float/8
              06000001f4 2a00 histogram 1356998400500 (Histogram of the codec 42, which is not configured)
              aabb00 01 unknown; an object of an unknown kind
              aabb0000ff0011 01 unknown; a qualifier of 7 bytes
              f000fa40 07 point 1356998401001 7 integer/1
            """);
    assertThat(scan("--write-time").out()).contains("  01e0 2a point written 1356998500000 135");
  }

  /** Lines for import have no place for them. */
  @Test
  void writeTimesAreOfTheRawForm() {
    load(cell("01e0", "2a"));
    for (String form : new String[] {"--import", "--delete"}) {
      CommandRun run = scan(form, "--write-time");
      assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("--write-time requires the raw form");
    }
    assertThat(scan("--raw", "--write-time").out()).contains("point written");
  }

  @Test
  void histogramsAreShownWhereTheirCodecIsConfigured() {
    load(
        cell(
            "06001e",
            "2a" + "0002" + "3f8000004000000005" + "4000000040400000ac02" + "02" + "8001"));
    String codecs = "tsd.core.histograms.config={\"net.opentsdb.core.SimpleHistogramDecoder\":42}";
    String[] words = {"--set", codecs, "scan", "2013/01/01", "2013/01/02", "sum:m"};

    assertThat(run("", words).out())
        .endsWith(" histogram 1356998430 u=2:o=128:1.0,2.0=5:2.0,3.0=300\n");
  }

  @Test
  void importTakesBackWhatImportLinesSay() {
    load(
        cell("01e0", "2a")
            + cell("01f3", "80000000")
            + cell("0207", "7fffffffffffffff")
            + cell("021b", "3dcccccd")
            + cell("022f", "3fb999999999999a")
            + cell("023f", "4045400000000000")
            + cell("f000004f", "c045400000000000")
            + cell("f0000083f00000db", "00ffffff3e800000" + "00")
            + cell("0240025b", "053f800000" + "00")
            + cell("050000", "026006" + "0261fffa"));
    CommandRun lines = scan("--import");
    assertThat(lines.err()).isEmpty();
    assertThat(lines.exitCode()).isZero();
    String other = CommandRun.newStore();

    assertThat(runOn(other, lines.out(), "import", "-").exitCode()).isZero();

    String[] query = {"query", "2013/01/01", "2013/01/01-00:30", "sum:m", "--json", "--ms"};
    assertThat(runOn(other, "", query).out()).isEqualTo(run("", query).out());
    String[] again = {"scan", "--import", "2013/01/01", "2013/01/01-00:30", "sum", "m", "host=a"};
    assertThat(runOn(other, "", again).out()).isEqualTo(lines.out());
    assertThat(lines.out())
        .contains("m 1356998433 0.10000000149011612 host=a\n")
        .contains("m 1356998434 0.1 host=a\n")
        .contains("m 1356998435 42.5d host=a\n")
        .contains("m 1356998400001 -42.5d host=a\n")
        .contains("m 1356998438 -6 host=a\n")
        .doesNotContain("m 1356998438 6 host=a\n");
  }

  @Test
  void ofPointsOfOneTimestampTheOneThatIsReadIsImportedLast() {
    load(cell(ROW, "01e0", "01", 0) + cell(ROW, "01e1", "0202", 1) + cell(ROW, "01eb", "00", 2));
    load(cell(ROW, "01eb", "3f800000", 2) + cell(ROW, "f01d4c00", "01", 3));

    assertThat(scan("--import").outLines())
        .containsExactly(
            "m 1356998430000 1 host=a",
            "m 1356998430 1.0 host=a",
            "m 1356998430 514 host=a",
            "m 1356998430 1 host=a");
  }

  @Test
  void cellsThatNoLineCanHoldAreReportedOnStandardError() {
    load(cell("01e0", "2a") + cell("01001e", "7b7d") + cell("06001e", "2a00"));

    CommandRun sound = scan("--import");

    assertThat(sound.out()).isEqualTo("m 1356998430 42 host=a\n");
    assertThat(sound.exitCode()).isZero();
    assertThat(sound.err())
        .isEqualTo("hourstone: 2 cells of annotations, histograms or unknown kinds omitted\n");

    load(cell("01fb", "7fc00000") + cell("0202", "010203"));
    CommandRun corrupt = scan("--import");

    assertThat(corrupt.out()).isEqualTo("m 1356998430 42 host=a\n");
    assertThat(corrupt.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(corrupt.errLines())
        .containsExactly(
            "hourstone: row " + ROW + ", cell 01fb: a value that is not finite",
            "hourstone: row " + ROW + ", cell 0202: an integer in 3 bytes",
            "hourstone: 2 cells of annotations, histograms or unknown kinds omitted",
            "hourstone: 2 cells omitted that no line can represent completely");
  }

  @Test
  void deleteTakesWhatItShowsAsLinesAndNothingElse() {
    String nextHour = cell(ROW.replace("50e22700", "50e23510"), "01e0", "2a", 0);
    String annotation = cell("01001e", "7b7d");
    String corrupt = cell("0202", "010203");
    load(annotation + cell("01e0", "2a") + corrupt + nextHour);

    CommandRun delete = scan("--delete");

    assertThat(delete.out()).isEqualTo("m 1356998430 42 host=a\n");
    assertThat(delete.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(cells()).isEqualTo(annotation + corrupt + nextHour);
    run(delete.out(), "import", "-");
    assertThat(scan("--import").out()).isEqualTo(delete.out());
  }

  @Test
  void deleteLeavesSeriesAloneWhoseNamesImportRefuses() {
    String unnameable = cell(ROW.replace("000001000001", "000001000002"), "01e0", "2a", 0);
    run("", "--set", "tsd.core.tag.allow_specialchars=?", "uid", "assign", "tagv", "b?");
    load(unnameable + cell("01e0", "2a"));

    CommandRun delete = scan("--delete");

    assertThat(delete.out()).isEqualTo("m 1356998430 42 host=a\n");
    assertThat(delete.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(delete.err()).contains("cell 01e0: import would refuse it: ").contains("b?");
    assertThat(delete.errLines()).last().asString().contains("1 cell omitted that no line");
    assertThat(cells()).isEqualTo(unnameable);
  }

  @Test
  void linesOfSeriesWithMoreTagsThanAreAllowedAreRefused() {
    run("", "uid", "assign", "tagk", "dc");
    load(cell(ROW + "000002000001", "01e0", "2a", 0));

    CommandRun lines =
        run(
            "",
            "--set",
            "tsd.storage.max_tags=1",
            "scan",
            "--import",
            "2013/01/01",
            "2013/01/02",
            "sum:m");

    assertThat(lines.out()).isEmpty();
    assertThat(lines.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(lines.err()).contains("Too many tags: 2");
  }

  @Test
  void deleteOfRawRowsTakesAllOfTheirCells() {
    String nextHour = cell(ROW.replace("50e22700", "50e23510"), "01e0", "2a", 0);
    load(cell("01001e", "7b7d") + cell("01e0", "2a") + cell("0202", "010203") + nextHour);

    CommandRun delete = scan("--raw", "--delete");

    assertThat(delete.outLines()).hasSize(4);
    assertThat(delete.exitCode()).isZero();
    assertThat(cells()).isEqualTo(nextHour);
  }

  @Test
  void rowsOfSeveralExpressionsAreShownOnce() {
    load(cell("01e0", "2a"));
    String[] twice = {"scan", "--import", "2013/01/01", "2013/01/02", "sum:m", "max:m{host=*}"};

    assertThat(run("", twice).out()).isEqualTo("m 1356998430 42 host=a\n");
  }

  @Test
  void rowsThatFiltersRefuseAreNotShown() {
    load(cell("01e0", "2a"));
    String[] other = {"scan", "2013/01/01", "2013/01/02", "sum", "m", "host=b*"};

    CommandRun run = run("", other);

    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }
}
